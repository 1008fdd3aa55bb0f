//! The world that the reports speak of: regions, countries, firms, goods. All of it is invented.

use super::schema::Choice;

/// Sales regions, from the north clockwise.
pub(super) const REGIONS: [Choice; 13] = [
    Choice::new("north", "North", "华北"),
    Choice::new("northeast", "North-East", "东北"),
    Choice::new("east", "East", "华东"),
    Choice::new("southeast", "South-East", "东南"),
    Choice::new("south", "South", "华南"),
    Choice::new("southwest", "South-West", "西南"),
    Choice::new("west", "West", "西部"),
    Choice::new("northwest", "North-West", "西北"),
    Choice::new("central", "Central", "华中"),
    Choice::new("capital", "Capital", "首都圈"),
    Choice::new("coast", "Coast", "沿海"),
    Choice::new("islands", "Islands", "海岛"),
    Choice::new("overseas", "Overseas", "海外"),
];

/// Countries by ISO 3166-1 code.
pub(super) const COUNTRIES: [Choice; 12] = [
    Choice::new("AU", "Australia", "澳大利亚"),
    Choice::new("BR", "Brazil", "巴西"),
    Choice::new("CA", "Canada", "加拿大"),
    Choice::new("CN", "China", "中国"),
    Choice::new("DE", "Germany", "德国"),
    Choice::new("FR", "France", "法国"),
    Choice::new("GB", "United Kingdom", "英国"),
    Choice::new("IN", "India", "印度"),
    Choice::new("JP", "Japan", "日本"),
    Choice::new("NL", "Netherlands", "荷兰"),
    Choice::new("SG", "Singapore", "新加坡"),
    Choice::new("US", "United States", "美国"),
];

/// Three cities for each country, in the order of [`COUNTRIES`].
pub(super) const CITIES: [[&str; 3]; 12] = [
    ["Sydney", "Melbourne", "Perth"],
    ["São Paulo", "Curitiba", "Recife"],
    ["Toronto", "Montréal", "Vancouver"],
    ["上海", "深圳", "成都"],
    ["Hamburg", "München", "Leipzig"],
    ["Lyon", "Nantes", "Lille"],
    ["Leeds", "Bristol", "Glasgow"],
    ["Pune", "Chennai", "Kolkata"],
    ["大阪", "福岡", "仙台"],
    ["Utrecht", "Rotterdam", "Eindhoven"],
    ["Jurong", "Tampines", "Woodlands"],
    ["Portland", "Austin", "Chicago"],
];

/// The currency of each country, in the order of [`COUNTRIES`] (ISO 4217).
pub(super) const CURRENCIES: [&str; 12] =
    ["AUD", "BRL", "CAD", "CNY", "EUR", "EUR", "GBP", "INR", "JPY", "EUR", "SGD", "USD"];

/// First halves of firms' names.
pub(super) const FIRMS: [&str; 24] = [
    "Alder",
    "Bluewater",
    "Cobalt",
    "Deltaview",
    "Eastgate",
    "Fairmount",
    "Granite",
    "Harbour",
    "Ironwood",
    "Juniper",
    "Kestrel",
    "Larkspur",
    "Meadow",
    "Northwind",
    "Oakline",
    "Pinecrest",
    "Quarry",
    "Riverside",
    "Silverbirch",
    "Tidewater",
    "Upland",
    "Verdant",
    "Westlake",
    "Zephyr",
];

/// Second halves of firms' names.
pub(super) const TRADES: [&str; 10] = [
    "Foods",
    "Instruments",
    "Logistics",
    "Mills",
    "Optics",
    "Paper",
    "Textiles",
    "Tools",
    "Trading",
    "Works",
];

/// Goods, with the price of one in hundredths.
pub(super) const GOODS: [(&str, &str, u32); 12] = [
    ("BR-1040", "Bearing, 40 mm", 1_890),
    ("CB-2200", "Cable, 2 × 2.5 mm², 100 m", 8_450),
    ("DR-0310", "Drill set, 31 pieces", 4_990),
    ("FL-0075", "Filter, 75 µm", 1_275),
    ("GL-0900", "Work gloves, \"grip\", pair", 640),
    ("HS-1200", "Hose, 12 m", 3_310),
    ("LM-0600", "Lamp, 600 lm", 2_799),
    ("MT-0030", "Motor, 0.3 kW", 18_900),
    ("PN-5510", "Panel, 55 × 10 cm", 7_225),
    ("SC-4016", "Screws, 4.0 × 16 mm, 500", 1_120),
    ("SN-0024", "Sensor, 24 V", 5_640),
    ("VL-0150", "Valve, 15 mm", 2_235),
];

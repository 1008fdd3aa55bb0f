//! `orders`: orders by region, one row per order.

use std::ops::ControlFlow;

use docket_wire::{FieldError, Operation};
use jiff::{ToSpan, civil::Date};
use serde::Deserialize;
use serde_json::Value;

use super::{
    Cell, Report, ReportKind,
    check::{field, read},
    draw::Draw,
    places::{COUNTRIES, CURRENCIES, FIRMS, GOODS, REGIONS, TRADES},
    schema::{Choice, Words, any_of, day, object, one_of},
};
use crate::language::Language;

/// Days that one export may span: a leap year.
const MAX_DAYS: i32 = 366;
/// Separates this report's figures from those of the others.
const SEED: u64 = 0x6f72_6465_7273;

const COLUMNS: [Choice; 14] = [
    Choice::new("order_no", "Order no.", "订单号"),
    Choice::new("ordered_on", "Ordered on", "下单日期"),
    Choice::new("region", "Region", "大区"),
    Choice::new("customer_no", "Customer no.", "客户编号"),
    Choice::new("customer", "Customer", "客户"),
    Choice::new("country", "Country", "国家"),
    Choice::new("product_no", "Product no.", "产品编号"),
    Choice::new("product", "Product", "产品"),
    Choice::new("quantity", "Quantity", "数量"),
    Choice::new("net_amount", "Net amount", "不含税金额"),
    Choice::new("tax", "Tax", "税额"),
    Choice::new("currency", "Currency", "币种"),
    Choice::new("status", "Status", "状态"),
    Choice::new("channel", "Sales channel", "销售渠道"),
];

const DEFAULT_COLUMNS: [&str; 8] =
    ["order_no", "ordered_on", "region", "customer_no", "status", "net_amount", "tax", "currency"];

const STATUSES: [Choice; 5] = [
    Choice::new("all", "All", "全部"),
    Choice::new("open", "Open", "未发货"),
    Choice::new("shipped", "Shipped", "已发货"),
    Choice::new("invoiced", "Invoiced", "已开票"),
    Choice::new("returned", "Returned", "已退货"),
];

/// How a hundred orders are spread over the states after `all`.
const STATUS_OF_PERCENT: [(u32, &str); 4] =
    [(12, "open"), (30, "shipped"), (95, "invoiced"), (100, "returned")];

const CHANNELS: [&str; 4] = ["web", "phone", "edi", "branch"];

pub(super) struct OrdersByRegion;

impl ReportKind for OrdersByRegion {
    fn operation(&self) -> Operation {
        let regions: Vec<&str> = REGIONS.iter().map(|region| region.value).collect();
        let properties = vec![
            (
                "from",
                day(
                    Words::new("From", "从"),
                    Words::new("The first day of the period.", "期间的第一天。"),
                ),
            ),
            (
                "to",
                day(
                    Words::new("To", "至"),
                    Words::new(
                        "The last day of the period; at most 366 days in all.",
                        "期间的最后一天；整个期间不超过 366 天。",
                    ),
                ),
            ),
            (
                "region",
                any_of(
                    Words::new("Regions", "大区"),
                    Words::new("The regions to include.", "要包含的大区。"),
                    &REGIONS,
                    &regions,
                ),
            ),
            (
                "columns",
                any_of(
                    Words::new("Columns", "列"),
                    Words::new("The columns of the file.", "文件包含的列。"),
                    &COLUMNS,
                    &DEFAULT_COLUMNS,
                ),
            ),
            (
                "status",
                one_of(
                    Words::new("Status", "状态"),
                    Words::new("Only orders in this state.", "只包含该状态的订单。"),
                    &STATUSES,
                    "all",
                ),
            ),
        ];
        Operation {
            operation: "orders".to_owned(),
            title: Words::new("Orders by region", "区域订单").by_tag(),
            description: Words::new("One row per order.", "每行一笔订单。").by_tag(),
            parameters: object(&["from", "to"], properties),
            formats: ["csv", "xlsx", "ndjson"].map(str::to_owned).to_vec(),
        }
    }

    fn prepare(
        &self,
        parameters: &Value,
        language: Language,
    ) -> Result<Box<dyn Report>, Vec<FieldError>> {
        let Asked { from, to, region, columns, status } = read(parameters)?;
        if to < from {
            let detail = language.say(
                "The period must end on or after its first day.",
                "结束日期不能早于开始日期。",
            );
            return Err(vec![field("/to", detail)]);
        }
        let days = from.until(to).map_or(i32::MAX, |span| span.get_days()).saturating_add(1);
        if days > MAX_DAYS {
            let detail = language.say(
                "The period must not exceed 366 days. Choose a shorter one.",
                "期间不能超过 366 天，请缩短。",
            );
            return Err(vec![field("/to", detail)]);
        }
        let chosen = |choices: &[Choice], wanted: &Option<Vec<String>>, default: &[&str]| {
            (0..choices.len())
                .filter(|at| match wanted {
                    Some(wanted) => wanted.iter().any(|value| value == choices[*at].value),
                    None => default.is_empty() || default.contains(&choices[*at].value),
                })
                .collect()
        };
        let mut orders = Orders {
            from,
            days,
            regions: chosen(&REGIONS, &region, &[]),
            columns: chosen(&COLUMNS, &columns, &DEFAULT_COLUMNS),
            status: status.filter(|status| status != "all"),
            total: 0,
        };
        orders.total = orders.count();
        Ok(Box::new(orders))
    }
}

#[derive(Deserialize)]
struct Asked {
    from: Date,
    to: Date,
    region: Option<Vec<String>>,
    columns: Option<Vec<String>>,
    status: Option<String>,
}

struct Orders {
    from: Date,
    days: i32,
    /// Places in [`REGIONS`].
    regions: Vec<usize>,
    /// Places in [`COLUMNS`].
    columns: Vec<usize>,
    status: Option<String>,
    total: u64,
}

/// Where an order stands among all orders that there ever were.
#[derive(Clone, Copy)]
struct Place {
    day: Date,
    region: usize,
    number: u32,
}

impl Place {
    /// A number that no other order has.
    fn code(self) -> u64 {
        let region = u64::try_from(self.region).unwrap_or(0);
        (u64::from(ordinal(self.day)) << 16) | (region << 10) | u64::from(self.number)
    }
}

/// Days since the year 0: a number that belongs to the day for ever.
fn ordinal(day: Date) -> u32 {
    let since = Date::constant(0, 1, 1).until(day).map_or(0, |span| span.get_days());
    u32::try_from(since).unwrap_or(0)
}

fn status_of(draw: &mut Draw) -> &'static str {
    let percent = draw.below(100);
    STATUS_OF_PERCENT
        .iter()
        .find(|(end, _)| percent < *end)
        .map_or("returned", |(_, status)| status)
}

impl Orders {
    /// The orders of the period, with what was drawn for their state.
    fn places(&self) -> impl Iterator<Item = (Place, &'static str, Draw)> {
        let days = (0..self.days).filter_map(|day| self.from.checked_add(day.days()).ok());
        days.flat_map(|day| self.regions.iter().map(move |region| (day, *region)))
            .flat_map(|(day, region)| {
                let weekend = day.weekday().to_monday_zero_offset() >= 5;
                let mut draw = Draw::at(SEED ^ 1, Place { day, region, number: 0 }.code());
                let orders = if weekend { draw.between(2, 7) } else { draw.between(12, 26) };
                (0..orders).map(move |number| Place { day, region, number })
            })
            .filter_map(|place| {
                let mut draw = Draw::at(SEED, place.code());
                let status = status_of(&mut draw);
                let wanted = self.status.as_deref().is_none_or(|wanted| wanted == status);
                wanted.then_some((place, status, draw))
            })
    }

    fn count(&self) -> u64 {
        self.places().fold(0, |count, _| count + 1)
    }
}

impl Report for Orders {
    fn stem(&self) -> String {
        let to = self.from.saturating_add((self.days - 1).days());
        format!("orders-by-region_{}_{to}", self.from)
    }

    fn columns(&self) -> Vec<&'static str> {
        self.columns.iter().map(|column| COLUMNS[*column].value).collect()
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn rows(&self, each: &mut dyn FnMut(&[Cell<'_>]) -> ControlFlow<()>) -> ControlFlow<()> {
        for (place, status, mut draw) in self.places() {
            let customer = draw.below(2400);
            let home = usize::try_from(customer).unwrap_or(0) % COUNTRIES.len();
            let (product_no, product, price) = draw.pick(&GOODS);
            let quantity = i64::from(draw.between(1, 40));
            let net = quantity * i64::from(price);
            let region = u32::try_from(place.region).unwrap_or(0);
            let order_no = format!("SO-{:07}-{region:02}{:02}", ordinal(place.day), place.number);
            let customer_no = format!("C-{:05}", 10_000 + customer);
            let firm = firm(customer);
            let channel = draw.pick(&CHANNELS);
            let all = [
                Cell::Text(&order_no),
                Cell::Date(place.day),
                Cell::Text(REGIONS[place.region].value),
                Cell::Text(&customer_no),
                Cell::Text(&firm),
                Cell::Text(COUNTRIES[home].value),
                Cell::Text(product_no),
                Cell::Text(product),
                Cell::Integer(quantity),
                Cell::Money(net),
                Cell::Money(net * 19 / 100),
                Cell::Text(CURRENCIES[home]),
                Cell::Text(status),
                Cell::Text(channel),
            ];
            let chosen: Vec<Cell<'_>> = self.columns.iter().map(|column| all[*column]).collect();
            each(&chosen)?;
        }
        ControlFlow::Continue(())
    }
}

/// The name of a customer's firm.
pub(super) fn firm(customer: u32) -> String {
    let mut draw = Draw::at(SEED ^ 2, customer.into());
    format!("{} {}", draw.pick(&FIRMS), draw.pick(&TRADES))
}

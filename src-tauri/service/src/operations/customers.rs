//! `customers`: customers by country, one row per customer.

use std::ops::ControlFlow;

use docket_wire::{FieldError, Operation};
use jiff::{ToSpan, civil::Date};
use serde::Deserialize;
use serde_json::Value;

use super::{
    Cell, Report, ReportKind,
    check::read,
    draw::Draw,
    orders::firm,
    places::{CITIES, COUNTRIES, CURRENCIES},
    schema::{Words, any_of, day, object},
};
use crate::language::Language;

const SEED: u64 = 0x6375_7374;
/// Customers in all.
const CUSTOMERS: u32 = 2400;
/// The day on which the first customer came.
const FIRST_DAY: Date = Date::constant(2012, 1, 2);
/// Days over which they came.
const DAYS: u32 = 5000;

const SEGMENTS: [&str; 4] = ["retail", "wholesale", "industry", "public"];

pub(super) struct CustomersByCountry;

impl ReportKind for CustomersByCountry {
    fn operation(&self) -> Operation {
        let countries: Vec<&str> = COUNTRIES.iter().map(|country| country.value).collect();
        let properties = vec![
            (
                "country",
                any_of(
                    Words::new("Countries", "国家"),
                    Words::new("Where the customers are.", "客户所在的国家。"),
                    &COUNTRIES,
                    &countries,
                ),
            ),
            (
                "since",
                day(
                    Words::new("Customer since", "成为客户的日期不早于"),
                    Words::new(
                        "Only customers who came on this day or later.",
                        "只包含在这一天或之后成为客户的记录。",
                    ),
                ),
            ),
        ];
        Operation {
            operation: "customers".to_owned(),
            title: Words::new("Customers by country", "客户分布").by_tag(),
            description: Words::new("One row per customer.", "每行一个客户。").by_tag(),
            parameters: object(&[], properties),
            formats: ["csv", "xlsx", "ndjson"].map(str::to_owned).to_vec(),
        }
    }

    fn prepare(&self, parameters: &Value, _: Language) -> Result<Box<dyn Report>, Vec<FieldError>> {
        let Asked { country, since } = read(parameters)?;
        let mut customers = Customers { country, since, total: 0 };
        customers.total = customers.numbers().fold(0, |count, _| count + 1);
        Ok(Box::new(customers))
    }
}

#[derive(Deserialize)]
struct Asked {
    country: Option<Vec<String>>,
    since: Option<Date>,
}

struct Customers {
    country: Option<Vec<String>>,
    since: Option<Date>,
    total: u64,
}

impl Customers {
    /// Customers that are asked for: number, place of the country, first day.
    fn numbers(&self) -> impl Iterator<Item = (u32, usize, Date)> {
        (0..CUSTOMERS)
            .map(|number| {
                let home = usize::try_from(number).unwrap_or(0) % COUNTRIES.len();
                let days = i64::from(number) * i64::from(DAYS) / i64::from(CUSTOMERS);
                (number, home, FIRST_DAY.saturating_add(days.days()))
            })
            .filter(|(_, home, since)| {
                let here = |wanted: &Vec<String>| {
                    wanted.iter().any(|country| country == COUNTRIES[*home].value)
                };
                self.country.as_ref().is_none_or(here)
                    && self.since.is_none_or(|first| *since >= first)
            })
    }
}

impl Report for Customers {
    fn stem(&self) -> String {
        match self.since {
            Some(since) => format!("customers-by-country_since-{since}"),
            None => "customers-by-country".to_owned(),
        }
    }

    fn columns(&self) -> Vec<&'static str> {
        vec![
            "customer_no",
            "name",
            "country",
            "city",
            "segment",
            "since",
            "credit_limit",
            "currency",
            "contact",
        ]
    }

    fn total(&self) -> u64 {
        self.total
    }

    fn rows(&self, each: &mut dyn FnMut(&[Cell<'_>]) -> ControlFlow<()>) -> ControlFlow<()> {
        for (number, home, since) in self.numbers() {
            let mut draw = Draw::at(SEED, number.into());
            let customer_no = format!("C-{:05}", 10_000 + number);
            let name = firm(number);
            let contact = format!("orders-{}@customers.example", 10_000 + number);
            each(&[
                Cell::Text(&customer_no),
                Cell::Text(&name),
                Cell::Text(COUNTRIES[home].value),
                Cell::Text(draw.pick(&CITIES[home])),
                Cell::Text(draw.pick(&SEGMENTS)),
                Cell::Date(since),
                Cell::Money(draw.amount(10, 500) * 100_000),
                Cell::Text(CURRENCIES[home]),
                Cell::Text(&contact),
            ])?;
        }
        ControlFlow::Continue(())
    }
}

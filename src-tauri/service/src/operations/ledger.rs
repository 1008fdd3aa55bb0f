//! `ledger`: the general ledger, as many rows as are asked for: for large files and honest progress.
//!
//! Rows come in pairs, a debit and the credit that balances it. An odd last row stands open.

use std::{fmt::Write, ops::ControlFlow};

use docket_wire::{FieldError, Operation};
use jiff::{ToSpan, civil::Date};
use serde::Deserialize;
use serde_json::Value;

use super::{
    Cell, Report, ReportKind,
    check::read,
    draw::Draw,
    schema::{Words, object, whole},
};
use crate::language::Language;

/// Rows at most.
const MAX_ROWS: u64 = 10_000_000;
/// Rows where nobody says how many.
const DEFAULT_ROWS: u64 = 10_000;
/// The first day of the books.
const FIRST_DAY: Date = Date::constant(2026, 1, 1);
/// Entries that are spread over the 365 days of the year.
const DAYS: u64 = 365;

/// Accounts: number, name.
const ACCOUNTS: [(&str, &str); 10] = [
    ("1000", "Cash"),
    ("1200", "Bank"),
    ("1400", "Receivables"),
    ("1600", "Payables"),
    ("1776", "Value added tax"),
    ("3300", "Goods received"),
    ("4120", "Salaries"),
    ("4210", "Rent"),
    ("4920", "Telephone"),
    ("8400", "Revenue"),
];

const TEXTS: [&str; 8] = [
    "Invoice",
    "Payment received",
    "Payment sent",
    "Credit note",
    "Salary run",
    "Stock receipt",
    "Rent, office",
    "Correction",
];

const ENTITIES: [&str; 4] = ["DE01", "CN01", "US01", "SG01"];

pub(super) struct GeneralLedger;

impl ReportKind for GeneralLedger {
    fn operation(&self) -> Operation {
        let properties = vec![
            (
                "rows",
                whole(
                    Words::new("Rows", "行数"),
                    Words::new(
                        "How many rows to write, up to 10,000,000. Excel holds 1,048,575.",
                        "要写入的行数，最多 10,000,000 行；Excel 最多 1,048,575 行。",
                    ),
                    1,
                    MAX_ROWS,
                    DEFAULT_ROWS,
                ),
            ),
            (
                "seed",
                whole(
                    Words::new("Seed", "种子"),
                    Words::new(
                        "Another number gives other entries; the same number, the same file.",
                        "数字不同，分录不同；数字相同，文件相同。",
                    ),
                    0,
                    u64::from(u32::MAX),
                    1,
                ),
            ),
        ];
        Operation {
            operation: "ledger".to_owned(),
            title: Words::new("General ledger", "总账明细").by_tag(),
            description: Words::new(
                "One row per posting, up to 10 million.",
                "每行一条分录，最多 1000 万行。",
            )
            .by_tag(),
            parameters: object(&["rows"], properties),
            formats: ["csv", "xlsx", "ndjson"].map(str::to_owned).to_vec(),
        }
    }

    fn prepare(&self, parameters: &Value, _: Language) -> Result<Box<dyn Report>, Vec<FieldError>> {
        let Asked { rows, seed } = read(parameters)?;
        Ok(Box::new(Ledger { rows, seed: seed.unwrap_or(1) }))
    }
}

#[derive(Deserialize)]
struct Asked {
    rows: u64,
    seed: Option<u64>,
}

struct Ledger {
    rows: u64,
    seed: u64,
}

impl Report for Ledger {
    fn stem(&self) -> String {
        format!("general-ledger_{}-rows", self.rows)
    }

    fn columns(&self) -> Vec<&'static str> {
        vec![
            "entry_no",
            "posted_on",
            "entity",
            "account",
            "account_name",
            "text",
            "document",
            "debit",
            "credit",
            "currency",
        ]
    }

    fn total(&self) -> u64 {
        self.rows
    }

    fn rows(&self, each: &mut dyn FnMut(&[Cell<'_>]) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut entry_no = String::new();
        let mut document = String::new();
        let entries = self.rows.div_ceil(2);
        let mut today = (u64::MAX, FIRST_DAY);
        for row in 0..self.rows {
            let entry = row / 2;
            let is_credit = row % 2 == 1;
            let mut draw = Draw::at(self.seed, entry);
            let day = entry * DAYS / entries;
            if today.0 != day {
                let days = i64::try_from(day).unwrap_or(0);
                today = (day, FIRST_DAY.saturating_add(days.days()));
            }
            let debit = draw.below(10);
            // Any account but the one that is debited.
            let credit = (debit + draw.between(1, 9)) % 10;
            let account = if is_credit { credit } else { debit };
            let (number, name) = ACCOUNTS[usize::try_from(account).unwrap_or(0)];
            let text = draw.pick(&TEXTS);
            let entity = draw.pick(&ENTITIES);
            let amount = draw.amount(100, 2_500_000);
            rewrite(&mut entry_no, format_args!("{:08}", entry + 1));
            rewrite(&mut document, format_args!("D{:07}", draw.below(10_000_000)));
            let (debit, credit) = if is_credit { (0, amount) } else { (amount, 0) };
            each(&[
                Cell::Text(&entry_no),
                Cell::Date(today.1),
                Cell::Text(entity),
                Cell::Text(number),
                Cell::Text(name),
                Cell::Text(text),
                Cell::Text(&document),
                Cell::Money(debit),
                Cell::Money(credit),
                Cell::Text("EUR"),
            ])?;
        }
        ControlFlow::Continue(())
    }
}

/// Writes over a text without giving up its room.
fn rewrite(text: &mut String, words: std::fmt::Arguments<'_>) {
    text.clear();
    text.write_fmt(words).expect("a string takes what it is given");
}

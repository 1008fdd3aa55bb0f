//! How a report is written: CSV (RFC 4180), NDJSON, and one sheet of an Excel workbook.

use std::{
    fmt::Write as _,
    fs::File,
    io::{BufWriter, Write},
    ops::ControlFlow,
    path::Path,
};

use rust_xlsxwriter::{
    DocProperties, ExcelDateTime, Format as CellFormat, FormatAlign, Workbook, Worksheet, XlsxError,
};

use super::{BUFFER, Tick, WriteError};
use crate::operations::{Cell, Report};

/// The most rows between two ticks: a few milliseconds of work.
const ROWS_PER_TICK: u64 = 1000;

/// Runs through the rows, and stops at the first error or when a tick says so.
fn each_row(
    report: &dyn Report,
    tick: Tick<'_>,
    mut write: impl FnMut(&[Cell<'_>]) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    // A short report ticks often enough to be seen moving too.
    let rows_per_tick = (report.total() / 50).clamp(1, ROWS_PER_TICK);
    let mut done = 0;
    let mut failure = None;
    let ended = report.rows(&mut |row| {
        if let Err(error) = write(row) {
            failure = Some(error);
            return ControlFlow::Break(());
        }
        done += 1;
        if done % rows_per_tick == 0 { tick(done) } else { ControlFlow::Continue(()) }
    });
    match (failure, ended) {
        (Some(error), _) => Err(error),
        (None, ControlFlow::Break(())) => Err(WriteError::Stopped),
        (None, ControlFlow::Continue(())) => Ok(()),
    }
}

/// A cell's text, in room that is used again.
fn put_text(cell: &Cell<'_>, text: &mut String) {
    text.clear();
    let written = match cell {
        Cell::Text(words) => text.write_str(words),
        Cell::Integer(number) => write!(text, "{number}"),
        Cell::Date(day) => write!(text, "{day}"),
        Cell::Money(hundredths) => {
            let sign = if *hundredths < 0 { "-" } else { "" };
            let whole = hundredths.unsigned_abs();
            write!(text, "{sign}{}.{:02}", whole / 100, whole % 100)
        }
    };
    written.expect("a string takes what it is given");
}

/// RFC 4180: a heading, CRLF at each line's end, quotes where they are needed. UTF-8, no mark.
pub(super) fn write_csv(
    report: &dyn Report,
    sink: &mut dyn Write,
    tick: Tick<'_>,
) -> Result<(), WriteError> {
    let mut csv = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(sink);
    csv.write_record(report.columns()).map_err(csv_error)?;
    let mut text = String::new();
    each_row(report, tick, |row| {
        for cell in row {
            put_text(cell, &mut text);
            csv.write_field(&text).map_err(csv_error)?;
        }
        csv.write_record(None::<&[u8]>).map_err(csv_error)
    })?;
    Ok(csv.flush()?)
}

fn csv_error(error: csv::Error) -> WriteError {
    WriteError::Io(error.into())
}

/// One JSON object a line, members in the order of the columns.
pub(super) fn write_ndjson(
    report: &dyn Report,
    sink: &mut dyn Write,
    tick: Tick<'_>,
) -> Result<(), WriteError> {
    let names: Vec<String> = report.columns().iter().map(|name| format!("\"{name}\":")).collect();
    let mut line = Vec::new();
    let mut text = String::new();
    each_row(report, tick, |row| {
        line.clear();
        for (at, (name, cell)) in names.iter().zip(row).enumerate() {
            line.push(if at == 0 { b'{' } else { b',' });
            line.extend_from_slice(name.as_bytes());
            put_text(cell, &mut text);
            match cell {
                Cell::Integer(_) => line.extend_from_slice(text.as_bytes()),
                Cell::Text(_) | Cell::Money(_) | Cell::Date(_) => {
                    serde_json::to_writer(&mut line, &text).map_err(std::io::Error::from)?;
                }
            }
        }
        line.extend_from_slice(b"}\n");
        Ok(sink.write_all(&line)?)
    })?;
    Ok(sink.flush()?)
}

/// One sheet with a frozen heading. Rows go to a temporary file in `scratch` as they come, so memory
/// stays flat; amounts and days are text, so nothing is rounded or shifted by a time zone.
pub(super) fn write_xlsx(
    report: &dyn Report,
    file: File,
    scratch: &Path,
    tick: Tick<'_>,
) -> Result<(), WriteError> {
    let mut workbook = Workbook::new();
    workbook.set_tempdir(scratch)?;
    // The moment of writing would make two equal exports differ.
    let written = ExcelDateTime::from_ymd(2026, 1, 1)?;
    workbook.set_properties(&DocProperties::new().set_creation_datetime(&written));
    let sheet = workbook.add_worksheet_with_constant_memory()?;
    write_heading(sheet, &report.columns())?;
    let amount = CellFormat::new().set_align(FormatAlign::Right);
    let mut at = 0;
    let mut text = String::new();
    each_row(report, tick, |row| {
        at += 1;
        for (column, cell) in (0..).zip(row) {
            match cell {
                Cell::Integer(number) => sheet.write_number(at, column, exact(*number))?,
                Cell::Money(_) => {
                    put_text(cell, &mut text);
                    sheet.write_string_with_format(at, column, &text, &amount)?
                }
                Cell::Text(_) | Cell::Date(_) => {
                    put_text(cell, &mut text);
                    sheet.write_string(at, column, &text)?
                }
            };
        }
        Ok(())
    })?;
    workbook.save_to_writer(BufWriter::with_capacity(BUFFER, file))?;
    Ok(())
}

fn write_heading(sheet: &mut Worksheet, columns: &[&str]) -> Result<(), XlsxError> {
    let heading = CellFormat::new().set_bold();
    sheet.set_freeze_panes(1, 0)?;
    for (column, name) in (0..).zip(columns) {
        sheet.set_column_width(column, 16)?;
        sheet.write_string_with_format(0, column, *name, &heading)?;
    }
    Ok(())
}

/// A count as a double. Those of the reports are far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "counts here are small")]
fn exact(number: i64) -> f64 {
    number as f64
}

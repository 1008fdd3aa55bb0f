//! What is typed becomes what the schema asks for, or one sentence that names the parameter.

use docket_engine::words::{Language, Words};
use serde_json::json;

use super::*;

fn schema() -> Value {
    json!({
        "type": "object",
        "required": ["from"],
        "additionalProperties": false,
        "$defs": {"whole": {"type": "integer", "minimum": 1}},
        "properties": {
            "from": {"type": "string", "format": "date"},
            "rows": {"$ref": "#/$defs/whole"},
            "share": {"type": "number"},
            "closed": {"type": "boolean"},
            "region": {"type": "array", "items": {"type": "string", "oneOf": [
                {"const": "north", "title": "North"}, {"const": "south", "title": "South"}]}},
            "ids": {"type": "array", "items": {"type": "integer"}},
            "status": {"enum": ["open", "closed", 3]},
            "note": {"type": ["string", "null"]},
        },
    })
}

fn read(typed_values: &[&str]) -> Result<Value, Failure> {
    let schema = schema();
    let mut given: Vec<String> = typed_values.iter().map(|text| (*text).to_owned()).collect();
    given.push("from=2026-10-01".to_owned());
    typed(Report { operation: "orders", schema: Some(&schema) }, Map::new(), &given)
}

fn value(text: &str) -> Value {
    let name = text.split('=').next().expect("a name");
    read(&[text]).expect("it can be read")[name].clone()
}

fn sentence(typed_values: &[&str]) -> String {
    let failure = read(typed_values).expect_err("it is wrong");
    assert_eq!(failure.exit().code(), 2);
    failure.sentence(&Words::for_language(Language::English))
}

#[test]
fn values_are_of_their_kind() {
    assert_eq!(value("rows=300000"), json!(300_000));
    assert_eq!(value("share=0.5"), json!(0.5));
    assert_eq!(value("share=2"), json!(2));
    assert_eq!(value("closed=true"), json!(true));
    assert_eq!(value("status=closed"), json!("closed"));
    assert_eq!(value("status=3"), json!(3));
    assert_eq!(value("note=null"), json!(null));
    assert_eq!(value("note=a=b"), json!("a=b"));
    assert_eq!(value("note="), json!(""));
}

#[test]
fn a_list_comes_by_commas_or_by_repeating() {
    assert_eq!(value("region=north, south"), json!(["north", "south"]));
    let both = read(&["ids=1,2", "ids=3"]).expect("it can be read");
    assert_eq!(both["ids"], json!([1, 2, 3]));
}

#[test]
fn a_wrong_kind_is_one_sentence_that_names_the_parameter() {
    assert_eq!(sentence(&["rows=ten"]), "The parameter “rows” must be a whole number, not “ten”.");
    // A double does not hold it exactly, so it would arrive as another number.
    assert!(sentence(&["rows=9007199254740993"]).contains("a whole number"));
    assert!(sentence(&["share=NaN"]).contains("a number"));
    assert!(sentence(&["closed=yes"]).contains("true or false"));
    assert!(sentence(&["ids=1,x"]).contains("“ids” must be a whole number, not “x”"));
    assert!(sentence(&["region=west"]).contains("one of north, south"));
    assert!(sentence(&["status=lost"]).contains("one of open, closed, 3"));
}

#[test]
fn a_wrong_name_or_shape_is_told() {
    assert!(sentence(&["colour=red"]).contains("no parameter “colour”"));
    assert!(sentence(&["rows"]).contains("name=value"));
    assert!(sentence(&["=1"]).contains("name=value"));
    assert!(sentence(&["rows=1", "rows=2"]).contains("one value"));
}

#[test]
fn what_is_required_is_asked_for() {
    let schema = schema();
    let report = Report { operation: "orders", schema: Some(&schema) };
    let failure = typed(report, Map::new(), &[]).expect_err("from is missing");
    assert_eq!(failure.code(), "parameter_missing");
    let base = json!({"from": "2026-10-01", "rows": 1}).as_object().cloned().expect("an object");
    let both = typed(report, base, &["rows=2".to_owned()]).expect("it is there");
    assert_eq!(both, json!({"from": "2026-10-01", "rows": 2}));
}

#[test]
fn without_a_schema_what_reads_as_json_is_json() {
    let report = Report { operation: "orders", schema: None };
    let given = ["rows=3", "from=2026-10-01", "region=[\"north\"]", "note=1,2"];
    let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
    let read = typed(report, Map::new(), &given).expect("anything goes");
    let expected = json!({"rows": 3, "from": "2026-10-01", "region": ["north"], "note": "1,2"});
    assert_eq!(read, expected);
}

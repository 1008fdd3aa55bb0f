//! What a person types: the commands, options and names that scripts rely on.
//!
//! `interfaces.md` fixes them. A credential is never among them: it comes from the standard input,
//! the keychain or `DOCKET_TOKEN`.

use std::path::PathBuf;

use clap::{
    ArgGroup, Args, Parser, Subcommand,
    builder::{NonEmptyStringValueParser, PossibleValuesParser},
};
use docket_engine::stage::Stage;

const EXIT_CODES: &str = "\
Exit codes:
  0  done (with --no-wait: recorded)
  1  anything else
  2  usage
  3  rejected
  4  the job failed, was cancelled or expired
  5  unresolved: the job may exist, do not ask anew
  6  still open
  7  another process drives the store (`run` only)
  8  sign-in needed
  9  not created, proved: safe to ask anew

Environment:
  DOCKET_HOME   the folder of the exports     DOCKET_LANG   en or zh-CN
  DOCKET_TOKEN  the credential of the service that the command is for";

/// Exports that end in exactly one job, or in an exact reason why not.
#[derive(Debug, Parser)]
#[command(name = "docket", version, after_help = EXIT_CODES, arg_required_else_help = true)]
pub struct Arguments {
    /// Print one JSON document on the standard output.
    #[arg(long, global = true)]
    pub json: bool,

    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Add, list, check or remove the services that exports are asked of.
    #[command(subcommand)]
    Service(ServiceCommand),
    /// List what a service exports, with the parameters.
    Operations {
        /// The service's name or id; needed where there are several.
        #[arg(long, value_name = "N")]
        service: Option<String>,
    },
    /// Ask for an export and wait for its file.
    Export(ExportArguments),
    /// Drive what is open, until Ctrl-C.
    Run {
        /// End once each export is settled, unresolved or waits for a person.
        #[arg(long)]
        until_settled: bool,
        /// The service that DOCKET_TOKEN is for; needed where there are several.
        #[arg(long, value_name = "N")]
        service: Option<String>,
    },
    /// List the exports, newest first.
    List {
        /// Only those in this stage.
        #[arg(long, value_name = "S", value_parser = stages())]
        stage: Option<String>,
        /// How many at most.
        #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1000))]
        limit: u32,
    },
    /// Show all that is known of one export.
    Show {
        /// The export's id.
        id: String,
    },
    /// Look an export up now. This does not send it again.
    Check {
        /// The export's id.
        id: String,
    },
    /// Send an export again with the same key, where that is safe.
    Resend {
        /// The export's id.
        id: String,
    },
    /// Withdraw, abandon or cancel an export, as the case needs.
    Cancel {
        /// The export's id.
        id: String,
    },
    /// Say what you found at the service yourself.
    #[command(group = ArgGroup::new("finding").required(true))]
    Settle {
        /// The export's id.
        id: String,
        /// The service has this job for it.
        #[arg(
            long,
            value_name = "BUSINESS_ID",
            group = "finding",
            value_parser = NonEmptyStringValueParser::new()
        )]
        job: Option<String>,
        /// The service has no job for it and will not get one.
        #[arg(long, group = "finding")]
        absent: bool,
    },
    /// What happened to the history, such as damage that was mended.
    Notices {
        /// You have read them: they are not told again.
        #[arg(long)]
        dismiss: bool,
    },
    /// Watch the practice service lose a receipt, and Docket find the export and verify its file.
    Demo {
        /// Where the file goes; the Downloads folder where not given.
        #[arg(long, value_name = "DIR")]
        output: Option<PathBuf>,
    },
}

/// What to do with services.
#[derive(Debug, Subcommand)]
pub enum ServiceCommand {
    /// Add a service, also one that can not be reached just now.
    Add {
        /// The service's address.
        #[arg(value_name = "URL")]
        address: String,
        /// The tenant.
        #[arg(long, value_name = "T", value_parser = NonEmptyStringValueParser::new())]
        tenant: String,
        /// What to call it; what it calls itself where not given.
        #[arg(long, value_name = "N")]
        name: Option<String>,
        /// Read the credential from the standard input.
        #[arg(long)]
        token_stdin: bool,
    },
    /// List the services.
    List,
    /// Remove a service that has no open exports.
    Remove {
        /// The service's name or id.
        #[arg(value_name = "N")]
        service: String,
    },
    /// Check what works with a service.
    Check {
        /// The service's name or id.
        #[arg(value_name = "N")]
        service: String,
    },
    /// Give a service a new credential.
    SignIn {
        /// The service's name or id.
        #[arg(value_name = "N")]
        service: String,
        /// Read the credential from the standard input.
        #[arg(long)]
        token_stdin: bool,
    },
}

/// What is asked for.
#[derive(Debug, Args)]
pub struct ExportArguments {
    /// The report, as `docket operations` names it.
    pub operation: String,
    /// A parameter; several values by a comma or by giving it again.
    #[arg(short = 'p', long = "parameter", value_name = "name=value")]
    pub parameters: Vec<String>,
    /// The parameters as one JSON object, from a file or from the standard input (`-`); `-p` goes before it.
    #[arg(long, value_name = "FILE|-")]
    pub params_json: Option<PathBuf>,
    /// One of the report's formats; its first where not given.
    #[arg(long, value_name = "F")]
    pub format: Option<String>,
    /// The service's name or id; needed where there are several.
    #[arg(long, value_name = "N")]
    pub service: Option<String>,
    /// Where the file goes; the settings' folder where not given.
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Record it and end; `docket run` or the window goes on with it.
    #[arg(long)]
    pub no_wait: bool,
    /// The same id again gives the same export.
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    pub click_id: Option<String>,
    /// Ask for it although the same report is open already, knowing that there may be two.
    #[arg(long)]
    pub anyway: bool,
}

fn stages() -> PossibleValuesParser {
    PossibleValuesParser::new(Stage::ALL.iter().map(|stage| stage.as_str()))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(line: &str) -> Result<Arguments, clap::Error> {
        Arguments::try_parse_from(line.split(' '))
    }

    #[test]
    fn the_commands_hold_together() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_command_of_the_interface_is_understood() {
        for line in [
            "docket service add http://127.0.0.1:1 --tenant t --name n --token-stdin",
            "docket service list --json",
            "docket service remove n",
            "docket service check n",
            "docket service sign-in n --token-stdin",
            "docket operations --service n",
            "docket export orders -p a=1 -p b=2 --params-json - --format csv --service n --output d --no-wait --click-id c",
            "docket --json run --until-settled",
            "docket list --stage waiting_to_send",
            "docket show i",
            "docket check i",
            "docket resend i",
            "docket cancel i",
            "docket settle i --job j",
            "docket settle i --absent",
            "docket demo --json",
        ] {
            parse(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }

    #[test]
    fn what_makes_no_sense_is_a_usage_error() {
        for line in [
            "docket settle i",
            "docket settle i --absent --job j",
            "docket settle i --job ",
            "docket list --stage lost",
            "docket service add http://127.0.0.1:1",
            "docket service add http://127.0.0.1:1 --tenant ",
            "docket export",
            "docket export orders --token secret",
            // A script whose variable is not set would get one export for all its clicks.
            "docket export orders --click-id ",
            "docket frobnicate",
        ] {
            let error = parse(line).expect_err(line);
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}

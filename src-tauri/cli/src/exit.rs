//! The exit codes that scripts rely on.

use std::process::ExitCode;

use docket_engine::{
    journal::Hold,
    stage::Stage,
    view::{ErrorCode, ExportView},
};

/// How a command ended, for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done; with `--no-wait`: recorded.
    Done,
    /// Anything else.
    Other,
    /// What was typed can not be done.
    Usage,
    /// The service refused.
    Rejected,
    /// The job failed, was cancelled or expired.
    Ended,
    /// The job may exist: do not ask anew.
    Unresolved,
    /// Still open.
    Open,
    /// Another process drives the store.
    Driven,
    /// Sign-in is needed.
    SignIn,
    /// Proved: safe to ask anew.
    NotCreated,
}

impl Exit {
    /// The number.
    pub fn code(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::Other => 1,
            Self::Usage => 2,
            Self::Rejected => 3,
            Self::Ended => 4,
            Self::Unresolved => 5,
            Self::Open => 6,
            Self::Driven => 7,
            Self::SignIn => 8,
            Self::NotCreated => 9,
        }
    }

    /// What became of an export.
    pub fn of(export: &ExportView) -> Self {
        match export.stage {
            Stage::Saved => Self::Done,
            Stage::Rejected => Self::Rejected,
            Stage::Failed | Stage::Cancelled | Stage::Expired => Self::Ended,
            Stage::NotCreated => Self::NotCreated,
            Stage::Unresolved => Self::Unresolved,
            Stage::Sending
            | Stage::WaitingToSend
            | Stage::Confirming
            | Stage::Accepted
            | Stage::Running
            | Stage::Cancelling
            | Stage::Ready
            | Stage::Downloading => Self::of_hold(export.hold),
        }
    }

    fn of_hold(hold: Option<Hold>) -> Self {
        match hold {
            Some(Hold::SignIn | Hold::OtherAccount) => Self::SignIn,
            Some(
                Hold::RestoredStore
                | Hold::AccessWithdrawn
                | Hold::Paused
                | Hold::CannotWrite
                | Hold::NoSpace
                | Hold::CheckFailed
                | Hold::DownloadInterrupted
                | Hold::NoProgress,
            )
            | None => Self::Open,
        }
    }

    /// An error of the engine: what was typed wrong is usage, the rest is what it is.
    pub fn of_error(code: ErrorCode) -> Self {
        match code {
            ErrorCode::UnknownExport
            | ErrorCode::UnknownService
            | ErrorCode::UnknownOperation
            | ErrorCode::InvalidParameters
            | ErrorCode::InvalidAddress => Self::Usage,
            ErrorCode::SignInNeeded | ErrorCode::OtherAccount => Self::SignIn,
            ErrorCode::Driven => Self::Driven,
            ErrorCode::Unreachable
            | ErrorCode::NotAService
            | ErrorCode::NotNow
            | ErrorCode::ServiceInUse
            | ErrorCode::CannotWrite
            | ErrorCode::StoreUnwritable
            | ErrorCode::StoreTooNew
            | ErrorCode::StoreDamaged
            | ErrorCode::StoreForeign
            | ErrorCode::StoreBusy
            | ErrorCode::StoreOnNetwork
            | ErrorCode::DiskFull
            | ErrorCode::Internal => Self::Other,
        }
    }

    /// Of several exports the gravest: first what must not be asked anew, last what is done.
    pub fn gravest(exits: impl IntoIterator<Item = Self>) -> Self {
        exits.into_iter().max_by_key(|exit| exit.weight()).unwrap_or(Self::Done)
    }

    fn weight(self) -> u8 {
        match self {
            Self::Done => 0,
            Self::NotCreated => 1,
            Self::Ended => 2,
            Self::Rejected => 3,
            Self::Open => 4,
            Self::SignIn => 5,
            Self::Unresolved => 6,
            Self::Driven => 7,
            Self::Other => 8,
            Self::Usage => 9,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::export;

    #[test]
    fn every_stage_has_its_code() {
        let expected = |stage| match stage {
            Stage::Saved => 0,
            Stage::Rejected => 3,
            Stage::Failed | Stage::Cancelled | Stage::Expired => 4,
            Stage::Unresolved => 5,
            Stage::NotCreated => 9,
            Stage::Sending
            | Stage::WaitingToSend
            | Stage::Confirming
            | Stage::Accepted
            | Stage::Running
            | Stage::Cancelling
            | Stage::Ready
            | Stage::Downloading => 6,
        };
        for stage in Stage::ALL {
            assert_eq!(Exit::of(&export(*stage, None)).code(), expected(*stage), "{stage}");
        }
    }

    #[test]
    fn a_hold_hides_no_stage_but_names_the_sign_in() {
        for hold in Hold::ALL {
            let open = Exit::of(&export(Stage::Confirming, Some(*hold))).code();
            let sign_in = matches!(hold, Hold::SignIn | Hold::OtherAccount);
            assert_eq!(open, if sign_in { 8 } else { 6 }, "{hold}");
            assert_eq!(Exit::of(&export(Stage::Saved, Some(*hold))).code(), 0, "{hold}");
            assert_eq!(Exit::of(&export(Stage::Unresolved, Some(*hold))).code(), 5, "{hold}");
        }
    }

    #[test]
    fn errors_have_their_codes() {
        assert_eq!(Exit::of_error(ErrorCode::UnknownOperation).code(), 2);
        assert_eq!(Exit::of_error(ErrorCode::SignInNeeded).code(), 8);
        assert_eq!(Exit::of_error(ErrorCode::Driven).code(), 7);
        assert_eq!(Exit::of_error(ErrorCode::StoreDamaged).code(), 1);
    }

    #[test]
    fn of_several_the_gravest_counts() {
        use Exit::{Done, Ended, NotCreated, Open, Rejected, SignIn, Unresolved};
        assert_eq!(Exit::gravest([]), Done);
        assert_eq!(Exit::gravest([Done, Ended, NotCreated]), Ended);
        assert_eq!(Exit::gravest([Rejected, Open]), Open);
        assert_eq!(Exit::gravest([SignIn, Unresolved, Done]), Unresolved);
    }
}

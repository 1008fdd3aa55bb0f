//! The files that jobs make.
//!
//! What must stay true: a file appears under its name only when it is whole and on disk; its bytes
//! come from its report alone, with no time, name or path of the machine in them.

mod digest;
mod formats;

use std::{
    fs::{File, OpenOptions},
    io::{self, BufWriter, Read},
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use sha2::{Digest, Sha256};

use digest::Digesting;
pub(crate) use digest::repr_digest;

use crate::operations::Report;

/// Bytes that are written at once.
const BUFFER: usize = 256 * 1024;

/// What a file can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Csv,
    Xlsx,
    Ndjson,
}

impl Format {
    /// The format of this name.
    pub(crate) fn of_name(name: &str) -> Option<Self> {
        match name {
            "csv" => Some(Self::Csv),
            "xlsx" => Some(Self::Xlsx),
            "ndjson" => Some(Self::Ndjson),
            _ => None,
        }
    }

    /// Its name, which is also the file's ending.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Xlsx => "xlsx",
            Self::Ndjson => "ndjson",
        }
    }

    /// Its media type.
    pub(crate) fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            Self::Ndjson => "application/x-ndjson",
        }
    }

    /// Rows that it can hold, below the heading.
    pub(crate) fn max_rows(self) -> Option<u64> {
        match self {
            Self::Xlsx => Some(1_048_575),
            Self::Csv | Self::Ndjson => None,
        }
    }
}

/// The folder of files.
#[derive(Clone, Debug)]
pub(crate) struct Folder(PathBuf);

/// A file that is whole and under its name.
#[derive(Clone, Debug)]
pub(crate) struct Whole {
    pub(crate) size: u64,
    /// SHA-256 in hexadecimal.
    pub(crate) sha256: String,
}

/// Why no file came of it.
#[derive(Debug, thiserror::Error)]
pub(crate) enum WriteError {
    /// The caller's `tick` said so.
    #[error("the work was stopped")]
    Stopped,
    #[error("the file can not be written: {0}")]
    Io(#[from] io::Error),
    #[error("the sheet can not be written: {0}")]
    Sheet(#[from] rust_xlsxwriter::XlsxError),
}

/// Called with the number of rows written; stops the work by breaking.
pub(crate) type Tick<'a> = &'a mut dyn FnMut(u64) -> ControlFlow<()>;

impl Folder {
    /// Makes the folder where it is not there, its owner's alone, and throws away what a killed
    /// process left half done.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut builder = std::fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(path)?;
        for entry in std::fs::read_dir(path)? {
            let part = entry?.path();
            if part.extension().is_some_and(|ending| ending == "part") {
                std::fs::remove_file(part)?;
            }
        }
        Ok(Self(path.to_owned()))
    }

    /// Where the file of a job lies. Ids are the service's own, so they are safe in a path.
    pub(crate) fn path(&self, business_id: &str, format: Format) -> PathBuf {
        self.0.join(format!("{business_id}.{}", format.name()))
    }

    /// Throws the file of a job away; nothing to do where it is gone already.
    pub(crate) fn remove(&self, business_id: &str, format: Format) -> io::Result<()> {
        match std::fs::remove_file(self.path(business_id, format)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            Ok(()) | Err(_) => Ok(()),
        }
    }

    /// Writes a report beside its place, and renames it once it is on disk. `holder` keeps two
    /// workers of one job apart.
    pub(crate) fn write(
        &self,
        business_id: &str,
        holder: &str,
        report: &dyn Report,
        format: Format,
        tick: Tick<'_>,
    ) -> Result<Whole, WriteError> {
        let part = Part(self.0.join(format!("{business_id}.{holder}.part")));
        let whole = match format {
            Format::Csv => part.stream(|sink| formats::write_csv(report, sink, tick))?,
            Format::Ndjson => part.stream(|sink| formats::write_ndjson(report, sink, tick))?,
            Format::Xlsx => {
                formats::write_xlsx(report, create(&part.0)?, &self.0, tick)?;
                part.read_back()?
            }
        };
        std::fs::rename(&part.0, self.path(business_id, format))?;
        #[cfg(unix)]
        File::open(&self.0)?.sync_all()?;
        Ok(whole)
    }
}

/// A file that is not whole yet; it goes with this value unless it was renamed.
struct Part(PathBuf);

impl Part {
    fn stream(
        &self,
        write: impl FnOnce(&mut dyn io::Write) -> Result<(), WriteError>,
    ) -> Result<Whole, WriteError> {
        let file = create(&self.0)?;
        let mut sink = Digesting::new(BufWriter::with_capacity(BUFFER, file));
        write(&mut sink)?;
        let (buffered, whole) = sink.finish();
        buffered.into_inner().map_err(io::IntoInnerError::into_error)?.sync_all()?;
        Ok(whole)
    }

    /// The digest of a format that is not written from front to back.
    fn read_back(&self) -> Result<Whole, WriteError> {
        let mut file = File::open(&self.0)?;
        file.sync_all()?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; BUFFER];
        let mut size = 0;
        loop {
            let read = file.read(&mut buffer)?;
            if read == 0 {
                return Ok(Whole { size, sha256: hex::encode(hash.finalize()) });
            }
            hash.update(&buffer[..read]);
            size += u64::try_from(read).unwrap_or(0);
        }
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if let Err(error) = std::fs::remove_file(&self.0)
            && error.kind() != io::ErrorKind::NotFound
        {
            tracing::warn!(reason = %error, "a file that is not whole can not be removed");
        }
    }
}

fn create(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

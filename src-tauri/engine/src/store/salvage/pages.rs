//! The pages of a damaged store, without asking it how they belong together.
//!
//! Nothing that a page says of itself or of another is believed: each is looked through for cells in
//! every layout that a cell may have (sqlite.org/fileformat2.html, 1.6), from the file and from the
//! log. What a cell holds is proved by its seal and its decoding, not by where it lay.

use std::{
    collections::HashMap,
    fs::File,
    io::{Read, Seek, SeekFrom},
    path::Path,
};

use super::{
    super::{
        error::StoreError,
        schema::wal_of,
        wal::{Log, USUAL_PAGE_BYTES},
    },
    cell::{Cell, Layout, Shape},
};

/// Cells that are looked for on one page: more than fit, of rows as large as ours.
const CELLS_MAX: usize = 256;
/// The size of page in the head of a database file.
const PAGE_SIZE_AT: usize = 16;

/// One page as it lies in the file or in the log; a later one in the list is the newer.
#[derive(Clone, Copy, Debug)]
struct Image {
    from: Lies,
    at: u64,
    no: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lies {
    InTheFile,
    InTheLog,
}

/// Which image of a page a long row goes on in: damage may have hit any of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chain {
    /// The newest that is not newer than the row.
    AsOfThen,
    /// The newest.
    Newest,
    /// The one in the file.
    InTheFile,
}

impl Chain {
    /// All, the likeliest first.
    pub(super) const ALL: [Self; 3] = [Self::AsOfThen, Self::Newest, Self::InTheFile];
}

/// See the head of this file.
pub(super) struct Pages {
    file: Option<File>,
    log: Option<File>,
    path: std::path::PathBuf,
    page_bytes: usize,
    images: Vec<Image>,
    of_page: HashMap<u32, Vec<usize>>,
}

impl Pages {
    /// The pages of the store at this path, in the size that its head or its log names.
    pub(super) fn open(path: &Path) -> Result<Self, StoreError> {
        let failed = |error: std::io::Error| StoreError::io(path, &error);
        let (file, log) = (open(path)?, open(&wal_of(path))?);
        let frames = Log::read(&wal_of(path))?;
        let named = match &file {
            Some(file) => size_in_the_head(file).map_err(failed)?,
            None => None,
        };
        let of_log = frames.as_ref().map(|log| log.page_bytes);
        let page_bytes = of_log.or(named).unwrap_or(USUAL_PAGE_BYTES);
        let mut images = Vec::new();
        let mut add = |from, at, no| images.push(Image { from, at, no });
        let frames = frames.map(|log| log.frames).unwrap_or_default();
        for frame in frames.iter().filter(|frame| !frame.is_of_now) {
            add(Lies::InTheLog, frame.at, frame.page_no);
        }
        let bytes = match &file {
            Some(file) => file.metadata().map_err(failed)?.len(),
            None => 0,
        };
        // A last page that is cut off is looked at as far as it goes.
        for index in 0..bytes.div_ceil(page_bytes as u64) {
            let no = u32::try_from(index + 1).unwrap_or(u32::MAX);
            add(Lies::InTheFile, index * page_bytes as u64, no);
        }
        for frame in frames.iter().filter(|frame| frame.is_of_now) {
            add(Lies::InTheLog, frame.at, frame.page_no);
        }
        let mut of_page: HashMap<u32, Vec<usize>> = HashMap::new();
        for (index, image) in images.iter().enumerate() {
            of_page.entry(image.no).or_default().push(index);
        }
        Ok(Self { file, log, path: path.to_owned(), page_bytes, images, of_page })
    }

    /// How many images there are.
    pub(super) fn count(&self) -> usize {
        self.images.len()
    }

    /// The bytes of one image; fewer than a page where it is cut off.
    pub(super) fn bytes(&self, image: usize) -> Result<Vec<u8>, StoreError> {
        let Image { from, at, .. } = self.images[image];
        let file = match from {
            Lies::InTheFile => &self.file,
            Lies::InTheLog => &self.log,
        };
        let mut bytes = Vec::new();
        if let Some(mut file) = file.as_ref() {
            file.seek(SeekFrom::Start(at))
                .and_then(|_| file.take(self.page_bytes as u64).read_to_end(&mut bytes))
                .map_err(|error| StoreError::io(&self.path, &error))?;
        }
        Ok(bytes)
    }

    /// What may be a cell on this page, in this layout.
    pub(super) fn cells(&self, page: &[u8], shapes: &[Shape]) -> Vec<Cell> {
        let mut found: Vec<Cell> = Vec::new();
        for layout in Layout::ALL {
            let mut lowest = page.len();
            for slot in 0..CELLS_MAX {
                let at = layout.first_pointer() + 2 * slot;
                if at + 2 > lowest {
                    break;
                }
                let start = usize::from(page[at]) << 8 | usize::from(page[at + 1]);
                if let Some(cell) = Cell::read(page, start, self.page_bytes, layout, shapes) {
                    lowest = lowest.min(start);
                    found.push(cell);
                }
            }
        }
        found
    }

    /// The whole payload of a cell. None where a page that it goes on in is not there.
    pub(super) fn payload(
        &self,
        (image, page): (usize, &[u8]),
        cell: &Cell,
        chain: Chain,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let mut payload = page[cell.local.clone()].to_vec();
        let mut next = cell.goes_on_in;
        while let Some(no) = next {
            if payload.len() >= cell.payload_bytes {
                break;
            }
            let Some(following) = self.image_of(no, image, chain) else { return Ok(None) };
            let bytes = self.bytes(following)?;
            if bytes.len() < 4 {
                return Ok(None);
            }
            let wanted = (cell.payload_bytes - payload.len()).min(bytes.len() - 4);
            payload.extend_from_slice(&bytes[4..4 + wanted]);
            let no = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
            // The last one names no other; a ring ends with the length.
            next = (no != 0 && wanted > 0).then_some(no);
        }
        Ok((payload.len() == cell.payload_bytes).then_some(payload))
    }

    fn image_of(&self, no: u32, then: usize, chain: Chain) -> Option<usize> {
        let images = self.of_page.get(&no)?;
        match chain {
            Chain::AsOfThen => images.iter().rev().find(|index| **index <= then),
            Chain::Newest => images.last(),
            Chain::InTheFile => {
                images.iter().find(|index| self.images[**index].from == Lies::InTheFile)
            }
        }
        .copied()
    }
}

fn open(path: &Path) -> Result<Option<File>, StoreError> {
    match File::open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::io(path, &error)),
    }
}

fn size_in_the_head(mut file: &File) -> std::io::Result<Option<usize>> {
    let mut head = [0; PAGE_SIZE_AT + 2];
    file.seek(SeekFrom::Start(0))?;
    let read = file.take(head.len() as u64).read(&mut head)?;
    if read < head.len() {
        return Ok(None);
    }
    let size = usize::from(head[PAGE_SIZE_AT]) << 8 | usize::from(head[PAGE_SIZE_AT + 1]);
    // 1 stands for 65,536, which two bytes can not hold.
    let size = if size == 1 { 65_536 } else { size };
    Ok((size.is_power_of_two() && size >= 512).then_some(size))
}

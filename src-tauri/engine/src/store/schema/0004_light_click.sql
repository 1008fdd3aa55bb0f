-- A click writes fewer pages.

-- A text is looked for by walking down the list, which costs less than the one page of it that is read
-- then: an index of its trigrams was the dearest part of each click.
DROP TRIGGER export_trigram_new;
DROP TRIGGER export_trigram_change;
DROP TABLE export_trigram;

-- What is open of a service is found by its address, which never changes, or by its place.
DROP INDEX export_unfinished_service;

-- One list serves those of the stages too.
DROP INDEX export_stage;
DROP INDEX export_list;
CREATE INDEX export_list ON export (list_rank, created_at DESC, seq DESC, stage);

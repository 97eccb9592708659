-- How much of a picture or clip the model is to see is chosen before it is sent, and an answer that is made again
-- must see the same: so the choice is kept with the part, and with what isn't sent yet.
ALTER TABLE part ADD COLUMN media_detail TEXT NOT NULL DEFAULT 'full'
    CHECK (media_detail IN ('full', 'medium', 'low'));
ALTER TABLE part ADD COLUMN media_fit TEXT NOT NULL DEFAULT 'thin' CHECK (media_fit IN ('thin', 'trim'));
ALTER TABLE part ADD COLUMN media_first_frame INTEGER NOT NULL DEFAULT 0; -- of an animation, as a picture
ALTER TABLE part ADD COLUMN media_from_s REAL;          -- the part of a clip, in seconds from its start;
ALTER TABLE part ADD COLUMN media_to_s REAL;            -- NULL: from its start, up to its end
ALTER TABLE part ADD COLUMN media_max_frames INTEGER;   -- NULL: as many as the model takes

ALTER TABLE draft_media ADD COLUMN media_detail TEXT NOT NULL DEFAULT 'full'
    CHECK (media_detail IN ('full', 'medium', 'low'));
ALTER TABLE draft_media ADD COLUMN media_fit TEXT NOT NULL DEFAULT 'thin' CHECK (media_fit IN ('thin', 'trim'));
ALTER TABLE draft_media ADD COLUMN media_first_frame INTEGER NOT NULL DEFAULT 0;
ALTER TABLE draft_media ADD COLUMN media_from_s REAL;
ALTER TABLE draft_media ADD COLUMN media_to_s REAL;
ALTER TABLE draft_media ADD COLUMN media_max_frames INTEGER;

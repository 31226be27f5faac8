-- A block of a column of numbers had eight granules, all of which were decompressed for a row of one: a page of traces that
-- lie far apart took 1.6 times as long. Parts have the smaller blocks once they are merged.

ALTER TABLE traces MODIFY SETTING min_compress_block_size = 8192;

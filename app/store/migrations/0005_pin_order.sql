-- People put the chats that they pinned into an order of their own.
ALTER TABLE conversation ADD COLUMN pin_order INTEGER; -- among those placed by hand, 1 the first; NULL: not placed

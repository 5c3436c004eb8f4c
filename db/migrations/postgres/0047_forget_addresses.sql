-- A server wrote the address of a last look to a session of an erased member, which had been emptied a moment before.
update sessions set ip = '' where ip <> '' and member_id in (select member_id from erased_members);

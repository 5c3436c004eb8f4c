-- Before 0035 each browser kept its own marks. What a member had then counts as read, not as new once more.
update members set messages_read_to = (select max(id) from messages where messages.member_id = members.id)
where messages_read_to = 0 and exists (select 1 from messages where messages.member_id = members.id);

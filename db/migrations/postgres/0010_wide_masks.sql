-- A mask has up to 63 bits. The table is written anew once, and nobody bets meanwhile.
ALTER TABLE "bets" ALTER COLUMN "mask" SET DATA TYPE bigint;--> statement-breakpoint
-- A game's odds are rates in 1/1000, each a whole number up to the highest that is paid exactly, as many as the game has had from its first row on.
CREATE FUNCTION refuse_odds() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first integer := (SELECT json_array_length(milli) FROM odds WHERE game_id = NEW.game_id ORDER BY id LIMIT 1);
BEGIN
  IF json_typeof(NEW.milli) <> 'array' THEN
    RAISE EXCEPTION 'odds are whole rates from 1 to 4500000, as many as their game has';
  END IF;
  IF json_array_length(NEW.milli) = 0 OR json_array_length(NEW.milli) <> first OR EXISTS (
    SELECT FROM json_array_elements(NEW.milli) AS rate
    WHERE CASE WHEN rate::text ~ '^[1-9][0-9]{0,6}$' THEN rate::text::integer > 4500000 ELSE true END
  ) THEN
    RAISE EXCEPTION 'odds are whole rates from 1 to 4500000, as many as their game has';
  END IF;
  RETURN NEW;
END $$;
--> statement-breakpoint
CREATE TRIGGER odds_rates BEFORE INSERT ON odds FOR EACH ROW EXECUTE FUNCTION refuse_odds();

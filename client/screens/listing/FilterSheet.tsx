import { useState, type FormEvent } from "react";
import { useEndpoint } from "#client/api/queries.ts";
import { Button } from "#client/components/Button.tsx";
import { SelectField } from "#client/components/SelectField.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { TextField } from "#client/components/TextField.tsx";
import { RANGES, type RangeName, type Search } from "./use-listing-search.ts";
import { useText } from "#client/text/use-text.ts";
import { cityList, SORTS, type Sort } from "#shared/contract/listing.ts";
import { typedDigits } from "#client/text/typed-digits.ts";

interface Props {
  search: Search;
  onClose: () => void;
  onLook: (search: Search) => void;
}

/** City, order, price and height filters, applied together. */
export function FilterSheet({ search, onClose, onLook }: Props) {
  const text = useText();
  const [wanted, want] = useState(search);
  const choose = (part: Partial<Search>) => want({ ...wanted, ...part });
  const look = (event: FormEvent) => {
    event.preventDefault();
    onLook(wanted);
    onClose();
  };
  return (
    <Sheet title={text("listing.filter")} isOpen onClose={onClose}>
      <form onSubmit={look} className="flex flex-col gap-4">
        <CityField value={wanted.city ?? ""} onValue={(city) => choose({ city })} />
        <SelectField
          name="sort"
          label={text("listing.sort")}
          options={SORTS.map((sort) => ({ value: sort, text: text(`listing.sorts.${sort}`) }))}
          value={wanted.sort ?? "newest"}
          // The select offers only `Sort` values.
          onValue={(sort) => choose({ sort: sort as Sort })}
        />
        {RANGES.map(({ names }) => (
          <div key={names[0]} className="grid grid-cols-2 gap-3">
            {names.map((name) => (
              <Bound key={name} name={name} value={wanted[name] ?? ""} onValue={(value) => choose({ [name]: value })} />
            ))}
          </div>
        ))}
        <div className="grid grid-tiles gap-3 [--columns:2] [--tile:8.5rem]">
          <Button look="quiet" onClick={() => want({})}>
            {text("listing.clear")}
          </Button>
          <Button type="submit">{text("listing.show")}</Button>
        </div>
      </form>
    </Sheet>
  );
}

function CityField({ value, onValue }: { value: string; onValue: (city: string) => void }) {
  const text = useText();
  const cities = useEndpoint(cityList, {}, { staleTime: Infinity });
  return (
    <SelectField
      name="city"
      label={text("listing.city")}
      none={text("listing.allCities")}
      options={(cities.data ?? []).map(({ id, name }) => ({ value: id, text: name }))}
      value={value}
      onValue={onValue}
    />
  );
}

function Bound({ name, value, onValue }: { name: RangeName; value: string; onValue: (value: string) => void }) {
  const text = useText();
  return (
    <TextField
      name={name}
      label={text(`listing.ranges.${name}`)}
      inputMode="numeric"
      maxLength={10}
      value={value}
      onValue={(typed) => onValue(typedDigits(typed))}
    />
  );
}

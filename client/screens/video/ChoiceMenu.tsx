import { Menu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useLayer } from "#client/app/layers.ts";

export interface Choice {
  value: string;
  label: string;
}

interface Props {
  label: string;
  /** The content of the button. */
  children: ReactNode;
  choices: readonly Choice[];
  value: string;
  onChoose: (value: string) => void;
  /** The menu's container; in full screen, anything outside that element is invisible. */
  area: HTMLElement | null;
}

/** A button over the picture that opens a menu with one selected choice. */
export function ChoiceMenu({ label, children, choices, value, onChoose, area }: Props) {
  const [isOpen, open] = useState(false);
  useLayer(isOpen, () => open(false));
  return (
    <Menu.Root modal={false} open={isOpen} onOpenChange={(isOpen) => open(isOpen)}>
      <Menu.Trigger
        aria-label={label}
        title={label}
        className="grid h-11 min-w-11 shrink-0 place-items-center rounded-md px-1 text-sm font-semibold text-on-stage outline-on-stage hover:bg-on-stage/15"
      >
        {children}
      </Menu.Trigger>
      <Menu.Portal container={area}>
        <Menu.Positioner side="top" align="end" sideOffset={4} className="z-20">
          <Menu.Popup className="max-h-(--available-height) min-w-32 overflow-y-auto rounded-md bg-stage/95 py-1 text-on-stage shadow-sheet outline-none">
            <Menu.RadioGroup value={value} onValueChange={(chosen) => onChoose(chosen as string)}>
              {choices.map((choice) => (
                <Menu.RadioItem
                  key={choice.value}
                  value={choice.value}
                  closeOnClick
                  className="figures grid min-h-11 cursor-pointer grid-cols-[20px_1fr] items-center gap-2 px-3 text-sm outline-none data-highlighted:bg-on-stage/15"
                >
                  <Menu.RadioItemIndicator className="col-start-1">
                    <Check size={18} aria-hidden />
                  </Menu.RadioItemIndicator>
                  <span className="col-start-2">{choice.label}</span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

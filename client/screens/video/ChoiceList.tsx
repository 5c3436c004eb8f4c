import { Menu } from "@base-ui/react/menu";
import { Check } from "lucide-react";
import type { RefObject } from "react";
import type { ChoiceProps } from "./choice.ts";

interface Props extends ChoiceProps {
  /** What opened it: it lies above, and the focus returns there. */
  button: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
}

/** The open menu of a button over the picture. */
export default function ChoiceList({ label, choices, value, onChoose, area, button, onClose }: Props) {
  return (
    <Menu.Root
      modal={false}
      open
      // A press on its button is the button's own.
      onOpenChange={(_, { event }) => !button.current?.contains(event.target as Node | null) && onClose()}
    >
      <Menu.Portal container={area}>
        <Menu.Positioner anchor={button} side="top" align="end" sideOffset={4} className="z-20">
          <Menu.Popup
            aria-label={label}
            finalFocus={button}
            className="max-h-(--available-height) min-w-32 overflow-y-auto rounded-md bg-stage/95 py-1 text-on-stage shadow-sheet outline-none"
          >
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

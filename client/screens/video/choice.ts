export interface Choice {
  value: string;
  label: string;
}

/** What is chosen in a menu over the picture. */
export interface ChoiceProps {
  label: string;
  choices: readonly Choice[];
  value: string;
  onChoose: (value: string) => void;
  /** The menu's container; in full screen, anything outside that element is invisible. */
  area: HTMLElement | null;
}

/** Brings a chosen chip or tab into the middle of its row, without moving the page. */
export function showWhole(chip: Element | null | undefined): void {
  const row = chip?.parentElement;
  if (!chip || !row) return;
  const [wide, own] = [row.getBoundingClientRect(), chip.getBoundingClientRect()];
  row.scrollLeft += own.left + own.width / 2 - (wide.left + wide.width / 2);
}

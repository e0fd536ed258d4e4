const waitAtMostMs = 3000;
const lookAgainMs = 50;

/** Brings a page of the open document into sight, once the viewer has it. */
export function showPage(pageNumber: number): void {
  const until = Date.now() + waitAtMostMs;
  const look = () => {
    const page = document.querySelector(`[data-page="${pageNumber}"]`);
    if (page && page.getClientRects().length > 0) page.scrollIntoView({ block: 'start' });
    else if (Date.now() < until) setTimeout(look, lookAgainMs);
  };
  look();
}

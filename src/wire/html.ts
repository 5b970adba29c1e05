/** Text of others on a page of ours. */

/** As it stands between tags and in quoted attributes, where none of it is markup. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** How far a key moves a cursor or scrolls: rows, pages (parts of one, too), or to an end. */
export type Distance = { readonly rows: number } | { readonly pages: number } | { readonly end: "first" | "last" };

/** The pages where nothing is typed, so that letters are keys. */
export const LETTER_PAGES = ["history", "maintenance", "stats"] as const;
/** The pages that stand in the place of the panes; that of the prompts and commands has a filter. */
export const PAGES = [...LETTER_PAGES, "uses"] as const;
export type PageKind = (typeof PAGES)[number];

/** A page that is open; the state of its kind has what it shows. */
export interface PageOverlay {
	readonly kind: PageKind;
}

const KINDS: ReadonlySet<string> = new Set(PAGES);

export function isPage(overlay: { readonly kind: string } | undefined): overlay is PageOverlay {
	return overlay !== undefined && KINDS.has(overlay.kind);
}

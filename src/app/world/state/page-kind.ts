/**
 * The pages that stand in the place of the panes: each feature with one adds its kind.
 *
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface Pages {}

export type PageKind = keyof Pages;

/** A page that is open; the slice of its feature has what it shows. */
export interface PageOverlay {
	readonly kind: PageKind;
	readonly isPage: true;
}

export function isPage(overlay: { readonly kind: string } | undefined): overlay is PageOverlay {
	return overlay !== undefined && "isPage" in overlay;
}

/**
 * The pages that replace the panes: each feature with one adds its kind.
 *
 * @public
 */
// biome-ignore lint/suspicious/noEmptyInterface: features add to it
export interface Pages {}

export type PageKind = keyof Pages;

/** An open page; what it shows is in the slice of its feature. */
export interface PageOverlay {
	readonly kind: PageKind;
	readonly isPage: true;
}

export function isPage(overlay: { readonly kind: string } | undefined): overlay is PageOverlay {
	return overlay !== undefined && "isPage" in overlay;
}

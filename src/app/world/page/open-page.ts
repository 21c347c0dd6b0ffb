import { isPage, type PageKind } from "../state/page-kind.ts";
import type { State } from "../state/state.ts";

/** The kind of the open page. */
export function pageOf({ overlays }: State): PageKind | undefined {
	return overlays.findLast(isPage)?.kind;
}

/** Opens a page above everything else, in place of the page that is open. */
export function openPage(state: State, kind: PageKind): State {
	return { ...state, overlays: [...state.overlays.filter((overlay) => !isPage(overlay)), { kind, isPage: true }] };
}

export function closePage(state: State, kind: PageKind): State {
	return { ...state, overlays: state.overlays.filter((overlay) => overlay.kind !== kind) };
}

import { isPage, type PageKind } from "../state/page-kind.ts";
import type { State } from "../state/state.ts";

/** The page that is shown in the place of the panes. */
export function pageOf({ overlays }: State): PageKind | undefined {
	return overlays.findLast(isPage)?.kind;
}

/** The state with this page above all that is open. */
export function openPage(state: State, kind: PageKind): State {
	return { ...state, overlays: [...state.overlays, { kind, isPage: true }] };
}

export function closePage(state: State, kind: PageKind): State {
	return { ...state, overlays: state.overlays.filter((overlay) => overlay.kind !== kind) };
}

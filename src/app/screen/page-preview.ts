import type { State } from "../model/state.ts";
import type { Box, PaneView } from "../model/view.ts";
import type { CleanText } from "../text/sanitize.ts";
import { span } from "../text/span.ts";
import { selectTreePane } from "./tree-pane.ts";

/** The tree of the session under a page's cursor, in its place beside the rows: only to look at. */
export function selectPagePreview(state: State, box: Box, title: CleanText): PaneView {
	const tree = selectTreePane({ ...state, focus: "list" }, box);
	return { ...tree, ...box, title: [span(title)], settings: [], focused: false, cursor: undefined };
}

import { selectVisiblePaths } from "../../world/list/visible-paths.ts";
import type { State, Transition } from "../../world/state/state.ts";
import { transition } from "../../world/state/transition.ts";

/** Reports the sessions in sight when they have changed. */
export function watchVisible(state: State): Transition {
	const paths = selectVisiblePaths(state);
	const known = state.visiblePaths;
	if (paths.length === known.length && paths.every((path, index) => path === known[index])) return transition(state);
	const watched = state.watched + 1;
	return transition({ ...state, visiblePaths: paths, watched }, { type: "watch-visible", paths, watched });
}

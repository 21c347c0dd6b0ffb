import { editedFiles, type SessionEdits } from "../../../edits/session-files.ts";
import type { Session } from "../../../store/read/read-session.ts";
import { type State, shownSession, type Transition, transition } from "../../world/state/state.ts";
import { selectedFilesRow, selectFound } from "./files-rows.ts";
import { FILES, type FileSum } from "./files-state.ts";

/** Asks for the files of the open session, and for the sum of the edits of the file under the cursor. */
export function syncFiles(state: State): Transition {
	const [gathering, gather] = gatherFiles(state);
	const [summing, sum] = sumFile(gathering);
	return [summing, [...gather, ...sum]];
}

function gatherFiles(state: State): Transition {
	const session = shownSession(state.detail);
	const { found, gathering } = FILES.of(state);
	if (session === undefined || found?.session === session) return transition(state);
	// A session that grows all the time would never be gathered, if each growth began anew.
	if (gathering?.path === session.path) return transition(state);
	const { home } = state.environment;
	return transition(FILES.with(state, { gathering: session }), { type: "gather-files", session, home });
}

function sumFile(state: State): Transition {
	const { isSummed, sums, summing } = FILES.of(state);
	const found = selectFound(state);
	const row = selectedFilesRow(state);
	if (!isSummed || found === undefined || row === undefined || row.edit !== undefined) return transition(state);
	const { file } = row;
	if (sums.has(file.path) || summing === file) return transition(state);
	const { session } = found;
	const { home } = state.environment;
	return transition(FILES.with(state, { summing: file }), { type: "sum-file", session, file, home });
}

/** Takes over the edits of a session. */
export function applyFiles(state: State, session: Session, { edits, ...rest }: SessionEdits): State {
	const { gathering } = FILES.of(state);
	if (gathering !== session) return state;
	const found = { ...rest, session, files: editedFiles(edits) };
	return FILES.with(state, { found, gathering: undefined, sums: new Map(), summing: undefined });
}

/** Takes over what the edits of a file come to. */
export function applySum(state: State, session: Session, path: string, sum: FileSum): State {
	const { found, sums } = FILES.of(state);
	if (found?.session !== session) return state;
	return FILES.with(state, { sums: new Map([...sums, [path, sum]]), summing: undefined });
}

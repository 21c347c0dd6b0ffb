import { homedir } from "node:os";
import type { SessionCounts } from "../../catalog/model/counts.ts";
import type { SessionRow } from "../../catalog/model/row.ts";
import { countSome } from "../../catalog/stats/stored-counts.ts";
import { NO_MARKS } from "../../changes/noted/marks.ts";
import { marksPath, readMarks } from "../../changes/noted/marks-file.ts";
import { TimeSlice } from "../../shared/steps.ts";
import type { Given } from "../arguments/given.ts";
import { note } from "../print/output.ts";
import { withProgressNote } from "../print/progress-note.ts";
import { type SessionJson, sessionJson } from "../print/session-json.ts";

/** Describes a session as `--json` prints it; `path`: where its file is, if the row does not say that, as when it is masked. */
export type Describe = (row: SessionRow, path?: string) => SessionJson;

/** Prepares to describe the sessions in these files: counts what is in them and reads the pins and tags. */
export async function describeSessions(
	paths: readonly string[],
	given: Given,
	known?: ReadonlyMap<string, SessionCounts>,
): Promise<Describe> {
	const { sessionDir, masked } = given;
	const counts =
		known ?? (await withProgressNote(countSome(paths, { sessionDir }, new TimeSlice()), () => "Counting …"));
	const { marks, problems } = readMarks(marksPath(process.env, homedir()));
	for (const problem of problems) note(problem);
	// Tags are not texts of a session, so nothing says which part of them is to be masked.
	const shown = masked === true ? { ...marks, tags: NO_MARKS.tags } : marks;
	return (row, path = row.path) => sessionJson(row, { counts: counts.get(path), marks: shown });
}

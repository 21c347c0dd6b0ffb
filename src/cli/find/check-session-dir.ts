import { findSessionRoots, missingRoot } from "../../catalog/model/session-roots.ts";
import { note } from "../print/output.ts";

/**
 * Whether the session directory that the person named, by the option, the environment or the settings, is there. If not,
 * stderr says so: a mistyped path must not look like a machine without sessions.
 */
export async function checkSessionDir(sessionDirFlag: string | undefined): Promise<boolean> {
	const mistake = missingRoot(await findSessionRoots({ sessionDirFlag }));
	if (mistake !== undefined) note(mistake);
	return mistake === undefined;
}

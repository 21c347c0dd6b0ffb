import { isDirectoryAsync } from "../../../app/world/effects/find-program.ts";
import { sessionGroups } from "../../../app/world/list/session-groups.ts";
import { findSessionRoots } from "../../../catalog/model/session-roots.ts";
import { isWithin, projectKey, resolvePath, wholeDirectory } from "../../../shared/paths.ts";
import type { Arguments } from "../../arguments/arguments.ts";
import { EXIT, Mistake, remark } from "../../print/output.ts";
import { askAndChange, printChange, reportOutcome } from "./carry-out.ts";
import { withEngines } from "./engines.ts";

export async function move(args: Arguments): Promise<number> {
	const {
		words: [old = "", place = ""],
		sessionDir,
		json,
	} = args;
	const [from, to] = [wholeDirectory(old), resolvePath(place)];
	// pi cannot be started in a directory that does not exist.
	if (!(await isDirectoryAsync(to)))
		throw new Mistake(`cannot move sessions to ${place}: it is not a directory; move the project there first`);
	return withEngines(await findSessionRoots({ sessionDir }), async (engines) => {
		await engines.list();
		const isOf = (cwd: string): boolean => isWithin(projectKey(cwd), projectKey(from));
		const rows = sessionGroups(engines.known().rows).flatMap((group) => (isOf(group.key) ? group.rows : []));
		if (rows.length === 0) {
			remark(`There is no session of ${from}: nothing was done.`);
			return EXIT.nothing;
		}
		const paths = rows.map(({ path }) => path);
		const outcome = await askAndChange({ type: "fork", from, to, archives: true }, paths, engines, args);
		await printChange(json, outcome, { from, to, changed: engines.changed() });
		return reportOutcome(outcome);
	});
}

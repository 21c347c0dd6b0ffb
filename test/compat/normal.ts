import { existsSync, readFileSync } from "node:fs";
import type { SessionManager as OurManager } from "../../src/index.ts";
import type { Side } from "./side.ts";

/**
 * Makes the values of two runs comparable: entry ids become "#n" in order of appearance; session ids,
 * times and the paths of the run's own directory become constants; `undefined` fields are dropped, as in a file.
 */
export function normalizer(ids: Iterable<string>, dir: string): (value: unknown) => unknown {
	const names = new Map([...ids].map((id, index) => [id, `#${index}`]));
	const text = (value: string): string => {
		const name = names.get(value);
		if (name !== undefined) return name;
		if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return "TIME";
		if (/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/.test(value)) return "SESSION";
		return value.startsWith(dir) ? "FILE" : value;
	};
	return (value) =>
		JSON.parse(JSON.stringify(value ?? null), (key, inner) => {
			if (typeof inner === "string") return text(inner);
			return key === "timestamp" && typeof inner === "number" && inner > START ? "NOW" : inner;
		});
}

/** Timestamps from here on come from a clock; those of the generated messages are earlier or later than any test. */
const START = Date.now() - 1000;

/** Everything that can be read from a session, made comparable. */
export function stateOf(side: Side, dir: string): unknown {
	// The same methods in both classes.
	const manager = side.manager as OurManager;
	const ids = manager.getEntries().map((entry) => entry.id);
	const leaf = manager.getLeafId();
	return normalizer(
		side.history,
		dir,
	)({
		header: manager.getHeader(),
		entries: manager.getEntries(),
		tree: manager.getTree(),
		leaf,
		leafEntry: manager.getLeafEntry(),
		branch: manager.getBranch(),
		branches: ids.map((id) => manager.getBranch(id).map((entry) => entry.id)),
		children: ids.map((id) => manager.getChildren(id).map((entry) => entry.id)),
		labels: ids.map((id) => manager.getLabel(id) ?? null),
		name: manager.getSessionName(),
		context: manager.buildSessionContext(),
		contextEntries: manager.buildContextEntries(),
		projection: manager.buildSessionProjection(),
		cwd: manager.getCwd(),
		persisted: manager.isPersisted(),
	});
}

/** The lines of the session's file, made comparable; null when there is no file. */
export function fileOf(side: Side, dir: string): unknown {
	const path = side.manager.getSessionFile();
	if (path === undefined || !existsSync(path)) return null;
	const normalize = normalizer(side.history, dir);
	const lines = readFileSync(path, "utf8").split("\n");
	return lines.map((line) => (line === "" ? "" : JSON.stringify(normalize(JSON.parse(line)))));
}

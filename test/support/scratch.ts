import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import type { CatalogEvent, CatalogProblem } from "../../src/catalog/model/event.ts";
import type { SessionRow } from "../../src/catalog/model/row.ts";

/** A temporary agent directory with its own cache, removed after the test. */
export function scratch() {
	const base = mkdtempSync(join(tmpdir(), "pi-grove-catalog-"));
	onTestFinished(() => rmSync(base, { recursive: true, force: true }));
	const agent = join(base, "agent");
	const root = join(agent, "sessions");
	mkdirSync(root, { recursive: true });
	return {
		base,
		agent,
		root,
		cache: join(base, "cache"),
		env: { PI_CODING_AGENT_DIR: agent },
		places: { kind: "default", root, agentDir: agent, problems: [] } as const,
		/** Writes a session file given by its path under the root; returns its whole path. */
		write(name: string, content: string | Buffer): string {
			const path = join(root, name);
			mkdirSync(dirname(path), { recursive: true });
			writeFileSync(path, content);
			return path;
		},
	};
}

/** Starts a catalog and keeps what it tells, as a screen would; closed after the test. */
export function follow(catalog: Catalog) {
	const rows = new Map<string, SessionRow>();
	let problems: readonly CatalogProblem[] = [];
	let waiting: { readonly holds: () => boolean; readonly resolve: () => void }[] = [];
	const listener = (event: CatalogEvent) => {
		if (event.type === "rows") for (const row of event.rows) rows.set(row.path, row);
		else if (event.type === "gone") for (const path of event.paths) rows.delete(path);
		else if (event.type === "problems") problems = event.problems;
		const met = waiting.filter((one) => one.holds());
		waiting = waiting.filter((one) => !met.includes(one));
		for (const one of met) one.resolve();
	};
	onTestFinished(() => catalog.close());
	catalog.start(listener);
	return {
		rows,
		problems: () => problems,
		/** Resolves when the condition holds, at once or after some event. The test's own time limit ends a vain wait. */
		until: (holds: () => boolean) =>
			new Promise<void>((resolve) => {
				if (holds()) resolve();
				else waiting.push({ holds, resolve });
			}),
	};
}

type Sqlite = typeof import("node:sqlite");

/**
 * Loads Node's SQLite when it is needed. Node 22 warns on stderr that it is experimental, which would spoil the screen:
 * that one warning is suppressed, only while loading.
 */
export async function loadSqlite(): Promise<Sqlite> {
	const emitWarning = process.emitWarning;
	const filtered = (warning: string | Error, ...rest: unknown[]) => {
		const text = typeof warning === "string" ? warning : warning.message;
		if (rest[0] === "ExperimentalWarning" && text.includes("SQLite")) return;
		Reflect.apply(emitWarning, process, [warning, ...rest]);
	};
	process.emitWarning = filtered;
	try {
		return await import("node:sqlite");
	} finally {
		process.emitWarning = emitWarning;
	}
}

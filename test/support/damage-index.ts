import { readFileSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import type { Random } from "./mutate-session.ts";

const PAGE = 4096;

/**
 * Damages the SQLite file of an index in one of many ways that SQLite or a reader of JSON notices, as a failing disk or another
 * program would; returns what was done. `random` gives numbers from 0 to 1.
 */
export function damageIndex(path: string, random: Random): string {
	const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
	const bytes = readFileSync(path);
	const pages = Math.floor(bytes.length / PAGE);
	const page = Math.floor(random() * pages);
	const inPage = (fill: (target: Buffer) => void): void => {
		fill(bytes.subarray(page * PAGE, (page + 1) * PAGE));
		writeFileSync(path, bytes);
	};
	const bySql = (change: (db: DatabaseSync) => string): string => {
		const db = new DatabaseSync(path);
		try {
			return change(db);
		} finally {
			db.close();
		}
	};
	const ways: (() => string)[] = [
		() => {
			inPage((target) => target.fill(pick([0, 0xaa, 0xff])));
			return `page ${page} filled`;
		},
		() => {
			inPage((target) => {
				for (let at = 0; at < PAGE; at++) target.writeUInt8(Math.floor(random() * 256), at);
			});
			return `page ${page} of noise`;
		},
		() => {
			writeFileSync(path, bytes.subarray(0, Math.floor(random() * bytes.length)));
			return "cut off";
		},
		() => {
			writeFileSync(`${path}-wal`, bytes.subarray(page * PAGE));
			return "noise in the write-ahead log";
		},
		() =>
			bySql((db) => {
				const column = pick(["row", "state", "counts", "numbers"]);
				db.exec(
					`UPDATE session SET ${column} = ${pick(["''", "'null'", `substr(${column}, 1, 20)`])} WHERE id % 7 = 3`,
				);
				return `no JSON in ${column}`;
			}),
		() =>
			bySql((db) => {
				const sql = pick([
					"DROP TABLE session",
					"ALTER TABLE session DROP COLUMN own",
					"DELETE FROM session WHERE id % 3 = 0",
					"DROP INDEX session_recent",
					"DROP INDEX session_listed",
					copyRows(db),
				]);
				db.exec(sql);
				return sql.slice(0, 40);
			}),
		() => {
			// The list is read in the order of another index, which lacks some sessions: SQLite does not notice.
			const index = pick(["session_recent", "session_listed"]);
			editSchema(path, index, "sql || ' WHERE id > 3'", true);
			editSchema(path, index, "replace(sql, ' WHERE id > 3', '')", false);
			return `sessions missing in ${index}`;
		},
	];
	return pick(ways)();
}

/** Copies rows to other ids and paths, whatever columns there are. */
function copyRows(db: DatabaseSync): string {
	const changed: Readonly<Record<string, string>> = { id: "id + 1000", path: "path || '.copy'" };
	const columns = db.prepare("SELECT name FROM pragma_table_info('session')").all();
	const values = columns.map(({ name }) => changed[String(name)] ?? String(name));
	return `INSERT INTO session SELECT ${values.join(", ")} FROM session WHERE id < 5`;
}

function editSchema(path: string, index: string, sql: string, reindex: boolean): void {
	// Newer versions of Node protect the schema unless this is given, which their types do not all know.
	const db = new DatabaseSync(path, { defensive: false } as object);
	db.exec("PRAGMA writable_schema = ON");
	db.exec(`UPDATE sqlite_schema SET sql = ${sql} WHERE name = '${index}'`);
	db.close();
	if (!reindex) return;
	const changed = new DatabaseSync(path);
	changed.exec(`REINDEX ${index}`);
	changed.close();
}

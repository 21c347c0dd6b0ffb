import { openMarksFile } from "../../../src/changes/noted/marks.ts";

/** Writes a given number of changes, as another window would: a unique tag for each of some sessions. */
const [path = "", name = "", count = "0"] = process.argv.slice(2);
const marks = openMarksFile(path);
for (let index = 0; index < Number(count); index++)
	marks.append(`${name}-${index}`, [
		{ id: `session-${index % 7}`, tag: `${name}-${index}`, on: true },
		{ id: `${name}-${index}`, on: true },
	]);

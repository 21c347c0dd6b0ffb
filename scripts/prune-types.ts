import { globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";

/*
 * Removes from the built declarations those that the library's own do not lead to: the compiler writes one for each source, and some name
 * packages that are only bundled. Run by `npm run build`.
 */

const types = join(import.meta.dirname, "..", "dist", "types");
const reached = new Set([join(types, "src", "index.d.ts")]);
// Grows while it is read.
for (const file of reached)
	for (const [, name = ""] of readFileSync(file, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)\.[jt]s"/g))
		reached.add(join(dirname(file), `${name}.d.ts`));
for (const name of globSync("**/*.d.ts", { cwd: types }))
	if (!reached.has(join(types, name))) rmSync(join(types, name));

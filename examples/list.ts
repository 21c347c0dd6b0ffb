// Prints all sessions of this machine, the last used first:
//
//   node examples/list.ts

import { isDamaged, listAll } from "pi-grove";

for (const { modified, cwd, title, diagnostics } of await listAll()) {
	// Texts of sessions are raw and may contain escape sequences; as JSON they are safe to print.
	const note = isDamaged(diagnostics) ? ` (damaged: ${diagnostics[0]?.message})` : "";
	console.log(`${modified.toISOString()} ${cwd || "-"} ${JSON.stringify(title.slice(0, 60))}${note}`);
}

// Prints all sessions of this machine, the last used first:
//
//   node examples/list.ts

import { isDamaged, listAll } from "pi-grove";

for (const { modified, cwd, name, prompt, firstMessage, diagnostics } of await listAll()) {
	// Texts of sessions are raw and may contain escape sequences; as JSON they are safe to print.
	const title = JSON.stringify((name ?? prompt ?? firstMessage).slice(0, 60));
	const note = isDamaged(diagnostics) ? ` (damaged: ${diagnostics[0]?.message})` : "";
	console.log(`${modified.toISOString()} ${cwd || "-"} ${title}${note}`);
}

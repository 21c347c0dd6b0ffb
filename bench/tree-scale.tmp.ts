import { readSession } from "../src/store/read/read-session.ts";
import { outlineOf } from "../src/app/conversation/outline.ts";
import { entryColumns } from "../src/app/tree/entry-columns.ts";
import { drawTree, ALL_BRANCHES } from "../src/app/tree/draw-tree.ts";
import { runToEnd } from "../src/shared/steps.ts";
import { NO_QUERY, parseQuery } from "../src/catalog/query/parse-query.ts";
const mem = () => Math.round(process.memoryUsage.rss() / 1e6);
const time = async <T>(name: string, f: () => T | Promise<T>): Promise<T> => { const t = performance.now(); const c = process.cpuUsage(); const r = await f(); const u = process.cpuUsage(c); console.log(name, (performance.now() - t).toFixed(1), "ms, cpu", ((u.user + u.system) / 1000).toFixed(1), mem(), "MB"); return r; };
const gc = (globalThis as { gc?: () => void }).gc;
console.log("start", mem());
const session = await time("read", () => readSession(process.argv[2] ?? ""));
gc?.(); console.log("heap", Math.round(process.memoryUsage().heapUsed / 1e6));
await time("outline", () => outlineOf(session));
await time("columns", () => runToEnd(entryColumns(session)));
const input = { session, filter: "default" as const, query: NO_QUERY, pinned: undefined, home: "/x", opened: new Set<string>(), folded: new Set<string>() };
let d = await time("draw", () => runToEnd(drawTree(input, undefined)));
console.log(d.tree.rows.length);
await time("draw again", () => runToEnd(drawTree(input, undefined)));
await time("draw all", () => runToEnd(drawTree({ ...input, filter: "all", opened: new Set([ALL_BRANCHES]) }, undefined)));
gc?.(); console.log("heap", Math.round(process.memoryUsage().heapUsed / 1e6), Math.round(process.memoryUsage().arrayBuffers / 1e6));
for (const text of ["r", "re", "ret", "retr", "retry", "retry s"]) {
	const p = parseQuery(text); if ("error" in p) throw 1;
	d = await time("filter " + text, () => runToEnd(drawTree({ ...input, query: p.query }, d)));
	console.log(d.tree.hits);
}
console.log(process.resourceUsage().maxRSS / 1024, "MB peak");

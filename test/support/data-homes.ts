import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
	interface ProvidedContext {
		/** Where each process that runs tests has its data directory (`data-home.ts`). */
		readonly dataHomes: string;
	}
}

/** Makes the directory in which the processes that run tests have theirs; it goes when all have ended. */
export default function provideDataHomes(project: TestProject): () => void {
	const path = mkdtempSync(join(tmpdir(), "pi-grove-data-"));
	project.provide("dataHomes", path);
	return () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

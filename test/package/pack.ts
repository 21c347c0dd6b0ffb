import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { createTempDir } from "../support/temp-dir.ts";
import { npm } from "./npm.ts";

/** The oldest Node that we and pi run on, and the newest; the one between them runs this. */
const OTHER_NODES = ["22.19.0", "26.9.0"];

const ROOT = join(import.meta.dirname, "..", "..");
const NODES = join(import.meta.dirname, "node_modules", ".nodes");

declare module "vitest" {
	interface ProvidedContext {
		/** Path of the packed package. */
		tarball: string;
		/** A directory in which it, and nothing else, was installed. */
		installed: string;
		/** The versions of Node to run it with: number and path of the program. */
		nodes: readonly (readonly [version: string, path: string])[];
	}
}

/** Packs the package, installs it in an empty directory, and fetches the other versions of Node. */
export default function pack(project: TestProject): () => void {
	const directory = createTempDir();
	npm(["pack", "--silent", "--pack-destination", directory.path], ROOT);
	const tarball = join(directory.path, `pi-grove-${process.env.npm_package_version}.tgz`);
	const installed = join(directory.path, "installed");
	mkdirSync(installed);
	writeFileSync(join(installed, "package.json"), '{ "private": true, "type": "module" }');
	npm(["install", "--no-audit", "--no-fund", "--omit=dev", tarball], installed);
	project.provide("tarball", tarball);
	project.provide("installed", installed);
	project.provide("nodes", [
		...OTHER_NODES.map((version) => [version, fetchNode(version)] as const),
		[process.versions.node, process.execPath] as const,
	]);
	return () => directory.remove();
}

/** The program of a version of Node, which npm has as packages for each platform; what was fetched before is used again. */
function fetchNode(version: string): string {
	const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
	const target = join(NODES, version);
	const path = join(target, "bin", process.platform === "win32" ? "node.exe" : "node");
	if (existsSync(path)) return path;
	const work = `${target}.${process.pid}`;
	mkdirSync(work, { recursive: true });
	try {
		npm(["pack", `${name}@${version}`, "--silent", "--pack-destination", work], ROOT);
		execFileSync("tar", ["-xzf", `${name}-${version}.tgz`], { cwd: work });
		renameSync(join(work, "package"), target);
	} finally {
		rmSync(work, { recursive: true, force: true });
	}
	return path;
}

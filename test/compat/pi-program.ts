import { join } from "node:path";

/** The version of pi that a run is about, as "1.6.0". */
export const PI_VERSION = process.env.PI_VERSION ?? "0.87.1";

/** Whether it is the one that people run. */
export const IS_NEWEST: boolean = PI_VERSION === "1.6.0";

/** Where `unpack-pi.ts` has put it; the oldest one is installed. */
const FOLDER = PI_VERSION === "0.87.1" ? "node_modules" : `pi-${PI_VERSION}/node_modules`;

/** The path of pi's program: its bundle, as `npm install` links it. */
export const PI_PROGRAM: string = join(
	import.meta.dirname,
	FOLDER,
	"@earendil-works/pi-coding-agent/dist/bundle/cli.js",
);

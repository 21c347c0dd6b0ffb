// Copies a session, with all its branches, into a new session of another project, gives it a name, and prints the path of
// the new file. The old file is not changed:
//
//   node examples/fork.ts SESSION_FILE [PROJECT_DIRECTORY]

import { SessionManager } from "pi-grove";

const [file, cwd = process.cwd()] = process.argv.slice(2);
if (file === undefined) throw new Error("Which session? node examples/fork.ts SESSION_FILE [PROJECT_DIRECTORY]");

const fork = SessionManager.forkFrom(file, cwd);
fork.appendSessionInfo(`Fork of ${fork.getSessionName() ?? "a session"}`);
console.log(fork.getSessionFile());

/** pi's own session manager, imported by its file: the package does not export all that is compared here. */
export * from "./node_modules/@earendil-works/pi-coding-agent/dist/core/session-manager.js";

// heed reads every command before OpenCode runs it. Written by `heed install opencode`.
// Whatever goes wrong here is thrown, and what is thrown stops the tool.
import { spawn } from "node:child_process"

const HEED = "@HEED@"
const LIMIT = @LIMIT@ * 1000

function ask(payload) {
  return new Promise((resolve, reject) => {
    const child = spawn(HEED, ["hook", "opencode"], { cwd: payload.directory, stdio: ["pipe", "pipe", "pipe"] })
    let out = ""
    let err = ""
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      reject(new Error("heed took too long: not run"))
    }, LIMIT)
    child.on("error", (e) => reject(new Error("heed cannot be started, so nothing is run: " + e.message)))
    child.stdin.on("error", () => {})
    child.stdout.on("data", (part) => (out += part))
    child.stderr.on("data", (part) => (err += part))
    child.on("close", (code) => {
      clearTimeout(timer)
      if (code !== 0) return reject(new Error(err.trim() || "heed ended with code " + code + ": not run"))
      try {
        resolve(JSON.parse(out))
      } catch {
        reject(new Error("heed gave no answer: not run"))
      }
    })
    child.stdin.end(JSON.stringify(payload))
  })
}

export const Heed = async ({ client, directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = await ask({ event: "tool.execute.before", directory, worktree, input, output })
    if (answer.decision !== "allow" && answer.decision !== "leave") throw new Error(answer.reason || "not run")
  },
  "tool.execute.after": async (input, output) => {
    const told = { title: output?.title, metadata: { exit: output?.metadata?.exit } }
    await ask({ event: "tool.execute.after", directory, worktree, input, output: told }).catch(() => {})
  },
  // The agent is done: what its commands came to, where there is something to tell.
  event: async ({ event }) => {
    if (event?.type !== "session.idle") return
    try {
      const input = { sessionID: event.properties?.sessionID }
      const told = await ask({ event: event.type, directory, worktree, input, output: {} })
      if (told.systemMessage) await client.tui.showToast({ body: { message: told.systemMessage, variant: "info", duration: 15000 } })
    } catch {}
  },
})

-- Every request takes a random key, so that no server can profit from having just answered the same one.
local keys = {}
for line in io.lines(os.getenv("KEYS")) do keys[#keys + 1] = "Bearer " .. line end
local path = os.getenv("REQUEST_PATH")
math.randomseed(os.time())

request = function()
  wrk.headers["Authorization"] = keys[math.random(#keys)]
  return wrk.format("GET", path)
end

done = dofile(os.getenv("HISTOGRAM"))

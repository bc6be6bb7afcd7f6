-- Every request visits another page or link, as a browser would: one that keeps nothing and says who it is.
local paths = {}
for line in io.lines(os.getenv("KEYS")) do paths[#paths + 1] = line end
math.randomseed(os.time())
wrk.headers["User-Agent"] =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"

request = function() return wrk.format("GET", paths[math.random(#paths)]) end

done = dofile(os.getenv("HISTOGRAM"))
